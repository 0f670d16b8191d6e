import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORTS = [
  /\b(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /\bimport\s*['"]([^'"]+)['"]/g,
  /\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)/g,
  /\bcreateRequire\(import\.meta\.url\)\(['"]([^'"]+)['"]\)/g,
  /\b(?:import\.meta\.resolve|resolve)\(['"]([^'"]+)['"]\)/g
]

/** All that a file of JavaScript or of types names as a module. */
export function importsOf(text) {
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[1]))
}

/** Names of packages that these files import; `@scope/name/part` is of `@scope/name`. */
export function packagesIn(files) {
  const names = files.flatMap((file) => importsOf(readFileSync(file, 'utf8'))).filter(isPackage)
  return new Set(
    names.map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    )
  )
}

function isPackage(specifier) {
  return /^@?[a-z][\w.-]*(?:\/|$)/i.test(specifier) && !specifier.includes(':')
}

/** Files of types that the first one leads to, itself among them. */
export function reachedFrom(file, seen = new Set()) {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const name of importsOf(readFileSync(file, 'utf8'))) {
    if (name.startsWith('.')) reachedFrom(join(dirname(file), name.replace(/\.js$/, '.d.ts')), seen)
  }
  return seen
}
