"""The whole miniature internet: signed, served, and with the resolvers that are compared."""

import pathlib
import shutil
import tempfile

import programs
import servers
import signing
import zones


class World:
    """Runs from construction to close(); `binary` is siskind, or None for a world without it; without
    `others`, neither delv nor Unbound can be asked."""

    def __init__(self, chosen, binary, keep=False, others=True):
        self.keep, self.others = keep, others
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="siskin-matrix."))
        self.started = programs.Started()
        try:
            self._sign(chosen)
            self._serve(binary)
        except BaseException:
            self.close()
            raise

    def _sign(self, chosen):
        """Fills `sites`: (software, address) -> zones that are served there."""
        self.sites, ds_of_tld = {}, {}
        for signer in sorted({c.signer for c in chosen}):
            made = signing.Signer(signer, chosen, self.home / "signing" / signer)
            ds_of_tld[signer] = made.sign_all()
            for zone, (site, listed) in made.served.items():
                self.sites.setdefault(site, {})[zone] = listed
        top, self.anchor = signing.sign_top(chosen, ds_of_tld, self.home / "signing")
        self.sites["ldns", zones.ADDRESS_ROOT] = top
        (self.home / "root.ds").write_text(self.anchor + "\n")

    def _serve(self, binary):
        addresses = [address for _software, address in self.sites]
        self.port = programs.free_port([*addresses, zones.ADDRESS_UNBOUND, zones.ADDRESS_SISKIN])
        self.cache_port = programs.free_port([zones.ADDRESS_CACHE])
        for (software, address), served in self.sites.items():
            servers.start_authority(self.started, software, self.home / address, address, self.port,
                                    served)
        served_at = {zone: address for (_s, address), served in self.sites.items() for zone in served}
        if self.others:
            servers.start_cache(self.started, self.home / "cache", self.cache_port, self.port)
            servers.start_unbound(self.started, self.home / "unbound", self.port, served_at)
        if binary:
            servers.start_siskin(self.started, self.home / "siskin", self.port, binary)

    def close(self):
        self.started.stop()
        if not self.keep:
            shutil.rmtree(self.home)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.close()
