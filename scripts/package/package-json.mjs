import { builtinModules } from 'node:module'

export const OLDEST_NODE = '22.13'

/**
 * Below this one, what a guard of a context writes with Node's own functions shows through where the webhook hides it; that,
 * and all else, was tried on the oldest one. An application brings its own: two of them would know nothing of each other.
 */
export const OLDEST_FASTIFY = '5.12.0'

/** Loaded when a node first needs them, and 42 MB: whoever uses none of these models, and reads no PDF or spreadsheets, does without. */
const OPTIONAL = /^(?:@ai-sdk\/|(?:unpdf|hucre)$)/

/**
 * The package.json of what is published: the one of the repository without the tools, and with those dependencies alone
 * that the published files import.
 */
export function publishedPackageJson(own, imported) {
  const versions = own.dependencies
  const used = [...imported]
    .filter((name) => !builtinModules.includes(name) && !name.startsWith('node:'))
    .sort()
  const unknown = used.filter((name) => versions[name] === undefined)
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')} is imported and stands in no "dependencies" of package.json.`)
  const of = (names) => Object.fromEntries(names.map((name) => [name, versions[name]]))
  const optional = used.filter((name) => OPTIONAL.test(name))
  const { name, version, description, license, type, keywords, repository, homepage, bugs } = own
  return {
    name,
    version,
    description,
    license,
    ...(keywords && { keywords }),
    ...(homepage && { homepage }),
    ...(repository && { repository }),
    ...(bugs && { bugs }),
    type,
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { millrace: 'bin/millrace.mjs' },
    exports: {
      '.': { types: './dist/millrace.d.ts', default: './dist/millrace.js' },
      './package.json': './package.json',
      './tsconfig.json': './tsconfig.json'
    },
    // For tools that know no exports.
    main: './dist/millrace.js',
    types: './dist/millrace.d.ts',
    dependencies: of(used.filter((each) => each !== 'fastify' && !optional.includes(each))),
    peerDependencies: {
      ...Object.fromEntries(optional.map((each) => [each, `^${versions[each]}`])),
      fastify: `^${OLDEST_FASTIFY}`
    },
    peerDependenciesMeta: Object.fromEntries(optional.map((each) => [each, { optional: true }]))
  }
}
