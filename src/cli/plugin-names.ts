import { CommandError } from './command-error.ts'

/** What a plugin is called in each of the places that name it. */
export interface PluginNames {
  /** The package: `@team/my-plugin`. */
  readonly package: string
  /** The package without its scope, for a folder: `my-plugin`. */
  readonly folder: string
  /** The component's type: `my-plugin`. */
  readonly type: string
  /** For people: `My Plugin`. */
  readonly title: string
  /** The function, whose name is that of the plugin's context: `myPlugin`. */
  readonly identifier: string
}

const PACKAGE = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/
const LONGEST = 60

/** Words that a function of a module cannot be called. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' ')
)

export function namesOf(name: string): PluginNames {
  if (!PACKAGE.test(name) || name.length > LONGEST || name === 'node_modules') {
    throw new CommandError(
      `"${name}" cannot be the name of a plugin. Use up to ${LONGEST} lower-case letters, digits and hyphens, for example my-plugin or @team/my-plugin.`
    )
  }
  const folder = name.slice(name.indexOf('/') + 1)
  const words = folder.split(/[._-]+/).filter((word) => word !== '')
  return {
    package: name,
    folder,
    type: words.join('-'),
    title: words.map(capitalised).join(' '),
    identifier: identifierOf(words)
  }
}

function identifierOf([first = '', ...rest]: readonly string[]): string {
  const camel = first + rest.map(capitalised).join('')
  if (/^\d/.test(camel)) return `plugin${camel}`
  return RESERVED.has(camel) ? `${camel}Plugin` : camel
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
