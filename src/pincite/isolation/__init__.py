"""Read untrusted files in a child process under limits. `child_process` is the parent's side, `child` the other."""
