import { SaxesParser } from 'saxes'
import type { Zip } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'
const LINKS = 'ppt/_rels/presentation.xml.rels'
const SLIDE = /^ppt\/slides\/slide(\d+)\.xml$/

/** In the order in which they are shown; those that the presentation does not name come last, in the order in which they were made. */
export async function slidesOf(zip: Zip): Promise<string[]> {
  const numberOf = (name: string) => Number(SLIDE.exec(name)![1])
  const made = zip.names.filter((name) => SLIDE.test(name)).sort((a, b) => numberOf(a) - numberOf(b))
  const shown = (await shownIn(zip)).filter((name) => made.includes(name))
  return [...new Set([...shown, ...made])]
}

async function shownIn(zip: Zip): Promise<string[]> {
  if (!zip.names.includes(LINKS)) return []
  const targets = new Map<string, string>()
  for (const { Id = '', Target = '' } of elementsOf(await zip.text(LINKS), 'Relationship'))
    targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `ppt/${Target}`)
  const shown = elementsOf(await zip.text(PRESENTATION), 'p:sldId')
  return shown.flatMap((slide) => targets.get(slide['r:id'] ?? '') ?? [])
}

/** The attributes of all elements of a name. */
function elementsOf(xml: string, wanted: string): Readonly<Record<string, string>>[] {
  const found: Readonly<Record<string, string>>[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === wanted) found.push(attributes)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return found
}
