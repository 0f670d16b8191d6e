import type { HelpSection } from './find-help.ts'

type DocSections = readonly Omit<HelpSection, 'to' | 'title'>[]

const BY_FILE = import.meta.glob<readonly (DocSections[number] & { readonly id: string })[]>(
  '../../../docs/*.md',
  { query: '?sections', import: 'sections', eager: true }
)

/** Every section of every document: a file of its own, loaded when somebody searches. */
export const DOC_SECTIONS: readonly HelpSection[] = Object.entries(BY_FILE).flatMap(([file, sections]) => {
  const page = file.slice(file.lastIndexOf('/') + 1, -'.md'.length)
  const title = sections[0]?.heading ?? page
  return sections.map(({ id, ...section }) => ({ ...section, title, to: id === '' ? page : `${page}#${id}` }))
})
