/** A document as the build compiled it: see web/build/docs.ts. */
interface ShownDoc {
  readonly title: string
  readonly html: string
  readonly headings: readonly DocHeading[]
}

export interface DocHeading {
  readonly id: string
  readonly text: string
  readonly level: number
}

const DOCS = import.meta.glob<ShownDoc>('../../../docs/*.md', { import: 'doc' })
const TITLES = import.meta.glob<string>('../../../docs/*.md', {
  query: '?title',
  import: 'title',
  eager: true
})

export function titleOfDoc(page: string): string | undefined {
  return TITLES[fileOf(page)]
}

export async function loadDoc(page: string): Promise<ShownDoc> {
  const load = DOCS[fileOf(page)]
  if (load === undefined) throw new Error(`There is no document "${page}".`)
  return load()
}

function fileOf(page: string): string {
  return `../../../docs/${page}.md`
}
