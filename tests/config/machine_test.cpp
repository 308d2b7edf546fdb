#include "siskin/config/machine.hpp"

#include <string>

#include "config/folder.hpp"
#include "support/catch.hpp"

using siskin::config::machine_memory;
using siskin::config::test::Folder;

namespace {

const std::string kMeminfo = "MemTotal:       16000000 kB\nMemFree:        1 kB\n";

}  // namespace

TEST_CASE("config/machine: without groups the machine's memory counts", "[config]") {
  const Folder root;
  CHECK(machine_memory(root.path()) == 0);
  root.put("proc/meminfo", kMeminfo);
  CHECK(machine_memory(root.path()) == 16384000000);
}

TEST_CASE("config/machine: cgroup v2 takes the least limit on the way up", "[config]") {
  const Folder root;
  root.put("proc/meminfo", kMeminfo);
  root.put("proc/self/cgroup", "0::/system.slice/siskin.service\n");
  root.put("sys/fs/cgroup/system.slice/siskin.service/memory.max", "max\n");
  CHECK(machine_memory(root.path()) == 16384000000);
  root.put("sys/fs/cgroup/system.slice/memory.max", "2000000000\n");
  CHECK(machine_memory(root.path()) == 2000000000);
  root.put("sys/fs/cgroup/system.slice/siskin.service/memory.max", "1000000000\n");
  CHECK(machine_memory(root.path()) == 1000000000);
  root.put("sys/fs/cgroup/memory.max", "500000000\n");  // a container's own root
  CHECK(machine_memory(root.path()) == 500000000);
}

TEST_CASE("config/machine: cgroup v1 has the memory controller in a tree of its own", "[config]") {
  const Folder root;
  root.put("proc/meminfo", kMeminfo);
  root.put("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/0123\n0::/\nnonsense\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(machine_memory(root.path()) == 16384000000);
  root.put("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "3000000000\n");
  root.put("sys/fs/cgroup/cpu/a/memory.limit_in_bytes", "1\n");
  CHECK(machine_memory(root.path()) == 3000000000);
}

TEST_CASE("config/machine: a path of the host that is not visible here is skipped", "[config]") {
  const Folder root;
  root.put("proc/meminfo", kMeminfo);
  root.put("proc/self/cgroup", "4:memory:/../../host/only\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "700000000\n");
  CHECK(machine_memory(root.path()) == 700000000);
}
