const UNRELEASED = '## [Unreleased]'

/** Whether there is something under _Unreleased_. */
export function hasUnreleased(text) {
  return sectionOf(text, UNRELEASED).trim() !== ''
}

/** The date of a version, as it is written; undefined where the version has no section. */
export function dateOf(text, version) {
  const headings = text.split('\n').filter((line) => line.startsWith(`## [${version}]`))
  return headings[0]?.replace(/^## \[[^\]]*\](?: - )?/, '')
}

/** What was under _Unreleased_ becomes the section of a version. */
export function releaseChangelog(text, version, date) {
  return text.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## [${version}] - ${date}\n`)
}

function sectionOf(text, heading) {
  const begin = text.indexOf(heading)
  if (begin === -1) return ''
  const rest = text.slice(begin + heading.length)
  const end = rest.search(/^## /m)
  return end === -1 ? rest : rest.slice(0, end)
}
