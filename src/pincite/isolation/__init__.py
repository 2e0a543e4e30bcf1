"""Work on untrusted bytes in a child process under limits: `process` is the parent's side, `child` the other one."""
