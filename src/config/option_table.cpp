// The one table of all keys.  docs/configuration.md is made of it (a test compares them).

#include <array>

#include "config/option.hpp"

namespace siskin::config {
namespace {

constexpr std::array<std::string_view, 5> kLevels{"trace", "debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kFormats{"text", "json"};
constexpr std::array<std::string_view, 2> kTtlClocks{"monotonic", "wall"};

constexpr std::uint64_t kMinute = 60'000;  // in milliseconds, the unit of Kind::duration's bounds
constexpr std::uint64_t kDay = 86'400;     // in seconds, the unit of TTLs
constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kTiB = 1ULL << 40U;
constexpr std::uint64_t kPathOctets = 4095;   // PATH_MAX without its zero
constexpr std::uint64_t kStringOctets = 255;  // RFC 1035 §3.3: <character-string>
constexpr std::uint64_t kNetworks = 4096;

constexpr std::array<Section, 12> kSections{{
    {"server", "Where clients are served, and how."},
    {"memory", "What the process may take."},
    {"cache", "How long answers are kept."},
    {"resolver", "How authoritative servers are asked."},
    {"local_root", "A copy of the root zone in place of the root servers (RFC 8806)."},
    {"dnssec", "Validation of signed answers."},
    {"access", "Who is served."},
    {"ecs", "Client subnet towards authoritative servers."},
    {"log", "What is logged, how and where."},
    {"metrics", "Counters for a monitoring system."},
    {"control", "The socket of the control tool."},
    {"laboratory",
     "For test rigs only; `--check-config` warns about every key here that differs from its "
     "default."},
}};

// clang-format off: one block an option
constexpr std::array<Option, 57> kOptions{{
    {.section = "server", .key = "listen", .kind = Kind::endpoints,
     .field = field_of<&Config::server, &Server::listen>(),
     .default_text = R"(["127.0.0.1:53", "[::1]:53"])", .min = 1, .max = 64,
     .source = "loopback only, so that no open resolver comes up by accident",
     .help = "Addresses and ports to serve, UDP and TCP on each. 0.0.0.0 and [::] stand for every "
             "address of the machine; replies leave from the address that was asked."},
    {.section = "server", .key = "workers", .kind = Kind::integer,
     .field = field_of<&Config::server, &Server::workers>(),
     .default_text = "0", .max = 1024, .unit = "threads",
     .source = "one thread a core shares nothing but the cache",
     .help = "Threads that serve. 0 takes one for each core that this process may run on."},
    {.section = "server", .key = "user", .kind = Kind::text,
     .field = field_of<&Config::server, &Server::user>(),
     .default_text = R"("")", .max = 255,
     .source = "a service manager usually sets the user itself",
     .help = "User to become after the ports are bound, with that user's groups. Empty: stay the "
             "user that started the daemon."},
    {.section = "server", .key = "udp_size", .kind = Kind::integer,
     .field = field_of<&Config::server, &Server::udp_size>(),
     .default_text = "1232", .min = 512, .max = 4096, .unit = "octets",
     .source = "RFC 6891 §6.2.5; 1232 fits the least MTU of IPv6 (1280) without fragments",
     .reloadable = true,
     .help = "The longest reply over UDP. A client that offers less gets less; what does not fit "
             "is marked truncated, and the client asks again over TCP."},
    {.section = "server", .key = "tcp_connections", .kind = Kind::integer,
     .field = field_of<&Config::server, &Server::tcp_connections>(),
     .default_text = "256", .min = 1, .max = 65536, .unit = "connections",
     .source = "RFC 7766 §6.2.2; 256 leaves three quarters of the usual 1024 file descriptors for "
               "questions to authoritative servers",
     .help = "Most client connections over TCP at a time, in the whole process, shared out evenly "
             "among workers and addresses. Where a share is full, its connection that is idle for "
             "longest is closed."},
    {.section = "server", .key = "tcp_idle_timeout", .kind = Kind::duration,
     .field = field_of<&Config::server, &Server::tcp_idle_timeout>(),
     .default_text = R"("10s")", .min = 100, .max = 10 * kMinute,
     .source = "RFC 7766 §6.2.3: in the order of a few seconds", .reloadable = true,
     .help = "A client connection on which nothing is asked or answered for so long is closed."},
    {.section = "server", .key = "identity", .kind = Kind::text,
     .field = field_of<&Config::server, &Server::identity>(),
     .default_text = R"("")", .max = kStringOctets,
     .source = "RFC 4892; the default tells nothing", .reloadable = true,
     .help = "Answer to id.server (class CH, type TXT). Empty: such a query is refused."},
    {.section = "server", .key = "version", .kind = Kind::text,
     .field = field_of<&Config::server, &Server::version>(),
     .default_text = R"("")", .max = kStringOctets,
     .source = "the default tells an attacker nothing", .reloadable = true,
     .help = "Answer to version.bind (class CH, type TXT). Empty: such a query is refused."},

    {.section = "memory", .key = "limit", .kind = Kind::memory,
     .field = field_of<&Config::memory, &Memory::limit>(),
     .default_text = R"("256MiB")", .min = 8 * kMiB, .max = 16 * kTiB, .unit = "octets",
     .source = "a machine that does other things as well",
     .help = "Memory for the whole process; the cache gets what the rest leaves. Counted is what "
             "belongs to the process alone (RssAnon and RssShmem in /proc), not code and libraries, "
             "which the kernel shares and can drop: some 8 MiB. A number of "
             "octets, or one with KiB, MiB, GiB or TiB, or a part such as \"50%\" of the memory of "
             "the machine or of the control group, whichever is less."},

    {.section = "cache", .key = "min_ttl", .kind = Kind::integer,
     .field = field_of<&Config::cache, &Cache::min_ttl>(),
     .default_text = "0", .max = kDay, .unit = "seconds",
     .source = "RFC 1035 §3.2.1: the zone's owner decides", .reloadable = true,
     .help = "An answer is kept at least so long, whatever its TTL says; more than a few seconds "
             "breaks zones that change quickly. At most max_ttl. Negative answers are not "
             "concerned."},
    {.section = "cache", .key = "max_ttl", .kind = Kind::integer,
     .field = field_of<&Config::cache, &Cache::max_ttl>(),
     .default_text = "86400", .min = 1, .max = 7 * kDay, .unit = "seconds",
     .source = "RFC 8767 §4: days, at most a week", .reloadable = true,
     .help = "An answer is kept at most so long. Negative answers have max_negative_ttl."},
    {.section = "cache", .key = "max_negative_ttl", .kind = Kind::integer,
     .field = field_of<&Config::cache, &Cache::max_negative_ttl>(),
     .default_text = "3600", .max = kDay, .unit = "seconds",
     .source = "RFC 2308 §5: one to three hours work well", .reloadable = true,
     .help = "That a name or a type does not exist is remembered at most so long. 0: not at all."},
    {.section = "cache", .key = "prefetch", .kind = Kind::duration,
     .field = field_of<&Config::cache, &Cache::prefetch>(),
     .default_text = R"("2s")", .max = kMinute,
     .source = "long enough for a fetch, short enough to pick what is asked for all the time",
     .help = "An answer that is asked for in so much of its last time is fetched anew at once, so "
             "that nobody ever waits for a name that is in constant use. At most once in 10 "
             "seconds for one question. 0: off."},
    {.section = "cache", .key = "serve_stale", .kind = Kind::boolean,
     .field = field_of<&Config::cache, &Cache::serve_stale>(),
     .default_text = "false", .source = "RFC 8767; what has expired may be wrong by now",
     .help = "Keep answers that have expired, and give them when no better one can be had: when the "
             "zone's servers fail, or take longer than stale_wait. Such a reply says so by an "
             "Extended DNS Error (3 or 19). What is in use never goes for them."},
    {.section = "cache", .key = "stale_max_age", .kind = Kind::duration,
     .field = field_of<&Config::cache, &Cache::stale_max_age>(),
     .default_text = R"("24h")", .min = 1000, .max = 7 * kDay * 1000,
     .source = "RFC 8767 §5 suggests one to three days",
     .help = "With serve_stale: how long after its TTL an answer may still be given."},
    {.section = "cache", .key = "stale_wait", .kind = Kind::duration,
     .field = field_of<&Config::cache, &Cache::stale_wait>(),
     .default_text = R"("1800ms")", .max = kMinute,
     .source = "RFC 8767 §5: just under two seconds, before common clients ask again",
     .help = "With serve_stale: how long a client waits for a better answer. Asking goes on behind "
             "its back. 0: not at all."},
    {.section = "cache", .key = "stale_recheck", .kind = Kind::duration,
     .field = field_of<&Config::cache, &Cache::stale_recheck>(),
     .default_text = R"("30s")", .min = 1000, .max = 300'000,
     .source = "RFC 8767 §5: no more often than every 30 seconds; RFC 9520 §3.2: at most 5 minutes",
     .help = "With serve_stale: for so long after a failure an expired answer is given without "
             "asking."},
    {.section = "cache", .key = "stale_ttl", .kind = Kind::integer,
     .field = field_of<&Config::cache, &Cache::stale_ttl>(),
     .default_text = "30", .min = 1, .max = 3600, .unit = "seconds",
     .source = "RFC 8767 §4 recommends 30",
     .help = "With serve_stale: the TTL that an expired answer is given with."},
    {.section = "cache", .key = "stale_except", .kind = Kind::names,
     .field = field_of<&Config::cache, &Cache::stale_except>(),
     .default_text = "[]", .max = 4096, .source = "zones whose answers must never be old",
     .help = "Zones, and all below them, of which no expired answer is given."},

    {.section = "resolver", .key = "root_hints", .kind = Kind::path,
     .field = field_of<&Config::resolver, &Resolver::root_hints>(),
     .default_text = R"("")", .max = kPathOctets,
     .source = "RFC 8109; a list is built in",
     .help = "File with the names and addresses of the root servers, in zone file format. A "
             "relative path starts from the daemon's working directory. Empty or absent: the "
             "built-in list."},
    {.section = "resolver", .key = "ipv4", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::ipv4>(),
     .default_text = "true", .source = "most servers have both", .reloadable = true,
     .help = "Ask authoritative servers over IPv4. This or ipv6 must be true."},
    {.section = "resolver", .key = "ipv6", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::ipv6>(),
     .default_text = "true", .source = "RFC 3901 §3", .reloadable = true,
     .help = "Ask authoritative servers over IPv6. This or ipv4 must be true."},
    {.section = "resolver", .key = "qname_minimisation", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::qname_minimisation>(),
     .default_text = "true", .source = "RFC 9156", .reloadable = true,
     .help = "Tell each server no more of the name that was asked than it needs."},
    {.section = "resolver", .key = "case_randomisation", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::case_randomisation>(),
     .default_text = "true", .source = "draft-vixie-dnsext-dns0x20", .reloadable = true,
     .help = "Mix upper and lower case in names sent to servers (\"0x20\"), which makes a forged "
             "reply harder to place."},
    {.section = "resolver", .key = "cookies", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::cookies>(),
     .default_text = "true", .source = "RFC 7873, RFC 9018", .reloadable = true,
     .help = "Send DNS cookies to servers, by which a reply of a server that knows them is told from "
             "a forged one."},
    {.section = "resolver", .key = "allow_upstream", .kind = Kind::networks,
     .field = field_of<&Config::resolver, &Resolver::allow_upstream>(),
     .default_text = "[]", .max = kNetworks,
     .source = "RFC 6890; a zone must not make us ask ourselves or our neighbours",
     .reloadable = true,
     .help = "Networks whose servers are asked although they are special (loopback, multicast, "
             "unspecified, our own), such as \"127.0.0.0/8\" for servers on this machine."},
    {.section = "resolver", .key = "query_timeout", .kind = Kind::duration,
     .field = field_of<&Config::resolver, &Resolver::query_timeout>(),
     .default_text = R"("8s")", .min = 100, .max = kMinute,
     .source = "a client that waits longer has asked again", .reloadable = true,
     .help = "All the time that one client query may take; then it is answered with SERVFAIL."},
    {.section = "resolver", .key = "edns_udp_size", .kind = Kind::integer,
     .field = field_of<&Config::resolver, &Resolver::edns_udp_size>(),
     .default_text = "1232", .min = 512, .max = 4096, .unit = "octets",
     .source = "RFC 6891 §6.2.5; 1232 fits the least MTU of IPv6 (1280) without fragments",
     .reloadable = true,
     .help = "The longest reply over UDP that authoritative servers are asked for. Longer ones "
             "come over TCP."},
    {.section = "resolver", .key = "queries_per_port", .kind = Kind::integer,
     .field = field_of<&Config::resolver, &Resolver::queries_per_port>(),
     .default_text = "32", .min = 1, .max = 1024, .unit = "queries",
     .source = "a second and 32 queries are little beside the minute that probing for a port takes",
     .help = "How many queries over UDP may go to one authoritative server from one random port, "
             "one after the other and within a second; then there is a new port. Saves a quarter "
             "of the processor time of a miss. 1: a new port for each query (RFC 5452 §9.2 to the "
             "letter)."},
    {.section = "resolver", .key = "queries_per_zone", .kind = Kind::integer,
     .field = field_of<&Config::resolver, &Resolver::queries_per_zone>(),
     .default_text = "512", .min = 16, .max = 1048576, .unit = "queries",
     .source = "an eighth of the 4096 names and types that one worker may have in work, so that the "
               "rest is for other zones",
     .help = "Most queries in flight to the servers of one zone, shared out evenly among workers; "
             "beyond that, clients get SERVFAIL at once. A zone that answers is not held to it: as "
             "many may be in flight as it has answered within the last second."},
    {.section = "resolver", .key = "queries_per_server", .kind = Kind::integer,
     .field = field_of<&Config::resolver, &Resolver::queries_per_server>(),
     .default_text = "512", .min = 16, .max = 1048576, .unit = "queries",
     .source = "as for one zone: a server of many zones must not take what is there for others",
     .help = "Most queries in flight to one server's address, shared out evenly among workers; "
             "beyond that, another server of the zone is asked, and where there is none, clients "
             "get SERVFAIL at once. A server that answers is not held to it, as with "
             "queries_per_zone."},
    {.section = "resolver", .key = "nxdomain_cut", .kind = Kind::boolean,
     .field = field_of<&Config::resolver, &Resolver::nxdomain_cut>(),
     .default_text = "false",
     .source = "RFC 8020 is right, but some servers deny names that only have names below them; "
               "what is signed is answered from its proofs all the same (aggressive_nsec)",
     .reloadable = true,
     .help = "That a name does not exist answers for all names below it as well. What the root "
             "says of top-level names always does."},

    {.section = "local_root", .key = "enabled", .kind = Kind::boolean,
     .field = field_of<&Config::local_root, &LocalRoot::enabled>(),
     .default_text = "false",
     .source = "RFC 8806 §1: it is not for everybody, and root servers are asked rarely",
     .help = "Copy the root zone by zone transfer, keep it up to date, and look into it instead of "
             "asking root servers: names that do not exist are denied at once, and nobody sees "
             "them. A copy is used only if its ZONEMD is right (RFC 8976), which tells that it is "
             "whole, not who made it; what is read from it is validated like any answer. "
             "Without a copy, for whatever reason, root servers are "
             "asked as always. Takes some 2 MiB of memory."},
    {.section = "local_root", .key = "servers", .kind = Kind::endpoints,
     .field = field_of<&Config::local_root, &LocalRoot::servers>(),
     .default_text = R"(["170.247.170.2:53", "192.33.4.12:53", "199.7.91.13:53", "192.5.5.241:53", )"
                     R"("192.112.36.4:53", "193.0.14.129:53", "192.0.32.132:53", )"
                     R"("192.0.47.132:53", "[2801:1b8:10::b]:53", "[2001:500:2::c]:53", )"
                     R"("[2001:500:2d::d]:53", "[2001:500:2f::f]:53", "[2001:500:12::d0d]:53", )"
                     R"("[2001:7fd::1]:53", "[2620:0:2d0:202::132]:53", )"
                     R"("[2620:0:2830:202::132]:53"])",
     .min = 1, .max = 64,
     .source = "RFC 8806 appendix A: b, c, d, f, g and k.root-servers.net, and ICANN's "
               "lax and iad.xfr.dns.icann.org",
     .help = "Who is asked for the root zone (AXFR over TCP), from a random one on; those of "
             "address families that `[resolver]` turns off are passed over."},

    {.section = "dnssec", .key = "validation", .kind = Kind::boolean,
     .field = field_of<&Config::dnssec, &Dnssec::validation>(),
     .default_text = "true", .source = "RFC 4035 §5",
     .help = "Check signatures, and answer with SERVFAIL where they are wrong or missing."},
    {.section = "dnssec", .key = "trust_anchors", .kind = Kind::anchors,
     .field = field_of<&Config::dnssec, &Dnssec::trust_anchors>(),
     .default_text = R"("")", .max = 1024,
     .source = "RFC 7958; empty: the root's keys 20326 and 38696, which are built in",
     .help = "File of DS or DNSKEY records to trust, or a list of such records as text, of any "
             "zones. Below a zone without an anchor at or above it nothing is validated."},
    {.section = "dnssec", .key = "trust_anchor_state", .kind = Kind::text,
     .field = field_of<&Config::dnssec, &Dnssec::trust_anchor_state>(),
     .default_text = R"("")", .max = 4096,
     .source = "RFC 5011; empty, because only the operator knows a place that outlives a restart",
     .help = "File in which the keys of trust anchors are followed: a new one is trusted once it "
             "stood in its zone for 30 days, a revoked one never again. Written by siskind, which "
             "needs the right to write in its directory; made when it is not there. Empty: what "
             "trust_anchors says holds, and keys neither come nor go."},
    {.section = "dnssec", .key = "negative_trust_anchors", .kind = Kind::negative_anchors,
     .field = field_of<&Config::dnssec, &Dnssec::negative_trust_anchors>(),
     .default_text = "[]", .max = 1024, .source = "RFC 7646",
     .help = "Zones that are treated as not signed, because their signatures are known to be "
             "broken. Answers from there carry EDE 33. With an end, as in "
             "`\"example.org until 2026-12-31\"` (UTC), it is also looked every five minutes "
             "whether the zone can be validated again, and if so signatures count from then on."},
    {.section = "dnssec", .key = "aggressive_nsec", .kind = Kind::boolean,
     .field = field_of<&Config::dnssec, &Dnssec::aggressive_nsec>(),
     .default_text = "true", .source = "RFC 8198",
     .help = "Answer from proofs that were checked for other questions: names that lie in a span "
             "without names, types that are not there, and what wildcards make."},
    {.section = "dnssec", .key = "root_key_sentinel", .kind = Kind::boolean,
     .field = field_of<&Config::dnssec, &Dnssec::root_key_sentinel>(),
     .default_text = "true", .source = "RFC 8509",
     .help = "Let clients find out which keys of the root are trusted, by names that begin with "
             "root-key-sentinel-is-ta- or root-key-sentinel-not-ta-."},
    {.section = "dnssec", .key = "sha1", .kind = Kind::boolean,
     .field = field_of<&Config::dnssec, &Dnssec::sha1>(),
     .default_text = "true", .source = "RFC 8624 §3.1: a validator must know them",
     .help = "Whether signatures of algorithms 5 and 7 and DS digests of type 1 count, which rest "
             "on SHA-1. False: what is signed in no other way is as if it were not signed "
             "(insecure)."},

    {.section = "access", .key = "allow", .kind = Kind::networks,
     .field = field_of<&Config::access, &Access::allow>(),
     .default_text = R"(["127.0.0.0/8", "::1/128"])", .max = kNetworks,
     .source = "RFC 5358: a resolver that serves everybody is a weapon", .reloadable = true,
     .help = "Networks whose clients are served. Everybody else gets REFUSED."},

    {.section = "ecs", .key = "zones", .kind = Kind::names,
     .field = field_of<&Config::ecs, &Ecs::zones>(),
     .default_text = "[]", .max = 4096,
     .source = "RFC 7871 §11.3: off unless a zone needs it; it costs privacy and cache",
     .help = "Zones whose servers are told a part of the client's address, so that they can answer "
             "with what is near the client; zones below them as well. Root and top-level servers "
             "are never told, even if they are listed. Such a zone, and everybody on the way to "
             "it, sees which network asks for which of its names; list only zones whose answers "
             "depend on it. Empty: client subnet is off, and a client's own option is ignored."},
    {.section = "ecs", .key = "ipv4_prefix", .kind = Kind::integer,
     .field = field_of<&Config::ecs, &Ecs::ipv4_prefix>(),
     .default_text = "24", .max = 32, .unit = "bits",
     .source = "RFC 7871 §11.1: at most 24 bits, so that a single client cannot be told",
     .help = "How much of an IPv4 client address those zones see, and so the smallest network that "
             "an answer is kept for. More than 24 shows single households; where clients are in "
             "larger networks that are all served alike, less is enough. 0: nothing."},
    {.section = "ecs", .key = "ipv6_prefix", .kind = Kind::integer,
     .field = field_of<&Config::ecs, &Ecs::ipv6_prefix>(),
     .default_text = "56", .max = 64, .unit = "bits",
     .source = "RFC 7871 §11.1: at most 56 bits, which is what a household often has",
     .help = "How much of an IPv6 client address those zones see, and so the smallest network that "
             "an answer is kept for. More than 56 shows single households. 0: nothing."},
    {.section = "ecs", .key = "accept_from", .kind = Kind::networks,
     .field = field_of<&Config::ecs, &Ecs::accept_from>(),
     .default_text = "[]", .max = kNetworks,
     .source = "RFC 7871 §11.3: anybody else could fill the cache with made-up networks",
     .help = "Networks of forwarders whose own client subnet option is believed: its address then "
             "stands for the client's, cut to the lengths above. From others the address in an "
             "option is ignored and the sender's own is used, with no more bits than the option "
             "tells. A client that asks not to be told of (source prefix length 0) is heard, "
             "wherever it is."},
    {.section = "ecs", .key = "variants_max", .kind = Kind::integer,
     .field = field_of<&Config::ecs, &Ecs::variants_max>(),
     .default_text = "16384", .min = 16, .max = 1'000'000, .unit = "answers",
     .source = "RFC 7871 §11.3: one name must not take the whole cache",
     .help = "Answers for different networks that are kept of one name and type. Beyond that, new "
             "ones are kept for wider networks: IPv4 /16 and IPv6 /32, then /8 of both."},

    {.section = "log", .key = "level", .kind = Kind::word,
     .field = field_of<&Config::log, &Log::level>(),
     .default_text = R"("info")", .words = kLevels,
     .source = "nothing per query above debug", .reloadable = true,
     .help = "The least important events that are logged."},
    {.section = "log", .key = "format", .kind = Kind::word,
     .field = field_of<&Config::log, &Log::format>(),
     .default_text = R"("text")", .words = kFormats, .source = "for people", .reloadable = true,
     .help = "Lines for people, or one JSON object a line."},
    {.section = "log", .key = "target", .kind = Kind::text,
     .field = field_of<&Config::log, &Log::target>(),
     .default_text = R"("stderr")", .min = 1, .max = kPathOctets,
     .source = "what service managers collect", .reloadable = true,
     .help = "\"stderr\", \"syslog\", or the path of a file to append to."},

    {.section = "metrics", .key = "listen", .kind = Kind::text,
     .default_text = R"("")", .max = 255, .source = "off unless somebody collects them",
     .help = "Address and port that serve Prometheus text at /metrics. Empty: off."},

    {.section = "control", .key = "socket", .kind = Kind::text,
     .default_text = R"("")", .max = 107, .source = "the length of sun_path in unix(7)",
     .help = "Path of the Unix socket for the control tool. Empty: off."},

    {.section = "laboratory", .key = "upstream_port", .kind = Kind::integer,
     .field = field_of<&Config::laboratory, &Laboratory::upstream_port>(),
     .default_text = "53", .min = 1, .max = 65535, .source = "RFC 1035 §4.2",
     .help = "Port on which authoritative servers are asked."},
    {.section = "laboratory", .key = "priming", .kind = Kind::boolean,
     .field = field_of<&Config::laboratory, &Laboratory::priming>(),
     .default_text = "true", .source = "RFC 8109",
     .help = "Ask a root server for the current list of root servers at start."},
    {.section = "laboratory", .key = "key_tag_signalling", .kind = Kind::boolean,
     .field = field_of<&Config::laboratory, &Laboratory::key_tag_signalling>(),
     .default_text = "true", .source = "RFC 8145",
     .help = "Tell the servers of a zone with a trust anchor, most of all the root's, which keys "
             "are trusted, by a question such as _ta-4f66 whenever its keys are fetched."},
    {.section = "laboratory", .key = "special_names", .kind = Kind::boolean,
     .default_text = "false", .source = "RFC 6303, RFC 6761",
     .help = "Built-in answers for localhost, test., 10.in-addr.arpa and the like."},
    {.section = "laboratory", .key = "ttl_clock", .kind = Kind::word,
     .field = field_of<&Config::laboratory, &Laboratory::ttl_clock>(),
     .default_text = R"("monotonic")", .words = kTtlClocks,
     .source = "the wall clock may jump",
     .help = "Clock that counts TTLs down. \"wall\" lets a rig with a faked wall clock age the "
             "cache."},
}};
// clang-format on

}  // namespace

std::span<const Section> sections() noexcept {
  return kSections;
}

std::span<const Option> options() noexcept {
  return kOptions;
}

}  // namespace siskin::config
