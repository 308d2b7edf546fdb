// A room without sources of its own still is a library.
