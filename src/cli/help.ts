export const HELP = `Millrace hosts flows and starts them by webhook.

  millrace, millrace start        starts the service; variables such as PORT set it up
  millrace worker                 starts a process that only runs flows: MILLRACE_ROLE=worker, with DATABASE_URL
  millrace sign-in                prints a link that signs you in to the page once; takes the same variables
  millrace plugin <name>          writes a plugin with one component and its tests
    --directory <folder>          the folder to write; named after the plugin if left out
  millrace dev <file>             starts the service with the plugin in a file, and again whenever a source changes
  millrace doctor                 looks at configuration and store, says what is wrong and what to do about it
    --json                        the same for machines
  millrace backup <file>          copies the embedded store into a file while the service runs
  millrace rotate-secrets         seals the secrets of all connections with a new key while the service runs
  millrace migrate-store          copies the embedded store in MILLRACE_HOME to the empty PostgreSQL at DATABASE_URL;
                                  stop the service first; run it again to go on after a stop
    --restart                     throws an unfinished copy away and starts over
  millrace --help                 prints this
  millrace --version              prints the version

docs/operator-guide.md has the variables, docs/extending.md tells what a plugin can do.
`
