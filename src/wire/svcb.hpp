/// The parameters of SVCB and HTTPS records (RFC 9460).
#pragma once

namespace siskin::wire {

class Reader;

/// Moves to the end; fails when keys do not rise strictly, a length runs past the end, or a value
/// known here has a size its format forbids.
void skip_service_parameters(Reader& reader) noexcept;

}  // namespace siskin::wire
