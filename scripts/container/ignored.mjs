/**
 * Whether a .dockerignore leaves a path out: the last line that fits the path, or a folder that it is in, decides, as
 * Docker has it.
 */
export function isIgnored(text, path) {
  if (path === '' || path === '.') return false
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return rules.findLast(({ pattern }) => pattern.test(path))?.keeps === false
}

function patternOf(glob) {
  const parts = glob.split('/').map((part) => (part === '**' ? '(?:.*/)?' : `${partPattern(part)}/`))
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}(?:/|$)`)
}

function partPattern(part) {
  return part
    .replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
}
