"""Questions with several parts: taken apart, worked on in parallel, and put together to one answer."""
