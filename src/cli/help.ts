export const HELP = `Millrace hosts flows and starts them by webhook.

  millrace, millrace start        starts the service; variables such as PORT set it up
  millrace sign-in                prints a link that signs you in to the page once; takes the same variables
  millrace plugin <name>          writes a plugin with one component and its test
    --directory <folder>          the folder to write; named after the plugin if left out
  millrace --help                 prints this
  millrace --version              prints the version

docs/operator-guide.md has the variables, docs/extending.md tells what a plugin can do.
`
