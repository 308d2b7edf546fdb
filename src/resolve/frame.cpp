#include "resolve/frame.hpp"

#include <algorithm>

#include "siskin/wire/cursor.hpp"
#include "siskin/wire/types.hpp"
#include "text/ldns.hpp"

namespace siskin::resolve {
namespace {

using wire::Reader;
using wire::RRType;

constexpr std::size_t kFieldsMax = 256;  ///< as many full strings as the longest TXT holds

/// Moves over one field of RDATA that ends at `end`, which is not reached yet.
void skip_field(ldns_rdf_type type, Reader& reader, std::size_t end) {
  switch (type) {
    case LDNS_RDF_TYPE_DNAME: reader.name(); return;
    case LDNS_RDF_TYPE_CLASS:
    case LDNS_RDF_TYPE_ALG:
    case LDNS_RDF_TYPE_CERTIFICATE_USAGE:
    case LDNS_RDF_TYPE_SELECTOR:
    case LDNS_RDF_TYPE_MATCHING_TYPE:
    case LDNS_RDF_TYPE_INT8: return reader.skip(1);
    case LDNS_RDF_TYPE_TYPE:
    case LDNS_RDF_TYPE_INT16:
    case LDNS_RDF_TYPE_CERT_ALG: return reader.skip(2);
    case LDNS_RDF_TYPE_TIME:
    case LDNS_RDF_TYPE_INT32:
    case LDNS_RDF_TYPE_A:
    case LDNS_RDF_TYPE_PERIOD: return reader.skip(4);
    case LDNS_RDF_TYPE_TSIGTIME:
    case LDNS_RDF_TYPE_EUI48: return reader.skip(6);
    case LDNS_RDF_TYPE_ILNP64:
    case LDNS_RDF_TYPE_EUI64: return reader.skip(8);
    case LDNS_RDF_TYPE_AAAA: return reader.skip(16);
    case LDNS_RDF_TYPE_STR:
    case LDNS_RDF_TYPE_TAG:
    case LDNS_RDF_TYPE_NSEC3_SALT:
    case LDNS_RDF_TYPE_NSEC3_NEXT_OWNER:
    case LDNS_RDF_TYPE_B32_EXT: return reader.skip(reader.u8());
    case LDNS_RDF_TYPE_INT16_DATA: return reader.skip(reader.u16());
    case LDNS_RDF_TYPE_HIP: {
      const std::size_t identity_size = reader.u8();
      reader.skip(1);
      const std::size_t key_size = reader.u16();
      return reader.skip(identity_size + key_size);
    }
    default: return reader.skip(end - reader.position());
  }
}

void skip_rdata(RRType type, Reader& reader) {
  const std::size_t size = reader.u16();
  if (size > reader.remaining()) return reader.fail();
  const std::size_t end = reader.position() + size;
  const ldns_rr_descriptor* descriptor = ldns_rr_descript(static_cast<std::uint16_t>(type));
  const std::size_t fields = std::min(ldns_rr_descriptor_maximum(descriptor), kFieldsMax);
  for (std::size_t i = 0; i < fields && reader.position() < end; ++i) {
    skip_field(ldns_rr_descriptor_field_type(descriptor, i), reader, end);
  }
  if (reader.position() != end) reader.fail();
}

}  // namespace

Result<void> check_frame(wire::Bytes message) {
  Reader reader(message);
  reader.skip(4);
  std::size_t questions = reader.u16();
  std::size_t records = 0;
  for (int section = 0; section < 3; ++section) records += reader.u16();
  for (; questions > 0 && !reader.failed(); --questions) {
    reader.name();
    reader.skip(4);
  }
  std::size_t opts = 0;
  std::size_t tsigs = 0;
  for (; records > 0 && !reader.failed(); --records) {
    reader.name();
    const auto type = static_cast<RRType>(reader.u16());
    reader.skip(6);
    skip_rdata(type, reader);
    if (type == RRType::opt && ++opts > 1) reader.fail();
    if (type == RRType::tsig && ++tsigs > 1) reader.fail();
  }
  if (reader.failed()) return Error{Errc::malformed, "the message's lengths do not add up"};
  return {};
}

}  // namespace siskin::resolve
