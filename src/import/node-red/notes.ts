import type { SourceNote } from '../draw-notes.ts'
import { membersOf, numberOf, textOf } from '../values.ts'
import type { RedFile, RedNode } from './red-node.ts'

/** Comments and groups of a tab. */
export function notesOf(file: RedFile, place: string): SourceNote[] {
  const comments = (file.nodes.get(place) ?? []).filter(({ type }) => type === 'comment')
  const groups = (file.groups.get(place) ?? []).filter(({ raw }) => textOf(raw.name).trim() !== '')
  return [...groups.map(groupNote), ...comments.map(commentNote)]
}

function commentNote({ raw, x, y }: RedNode): SourceNote {
  const [name, info] = [textOf(raw.name).trim(), textOf(raw.info).trim()]
  const title = name === '' || info === '' ? name : `**${name}**`
  return { text: [title, info].filter((text) => text !== '').join('\n\n') || 'Comment', x, y: y - 40 }
}

const COLOURS: readonly (readonly [pattern: RegExp, colour: string])[] = [
  [/^#(?:ff?[cdef]|e3f3d3)/i, 'yellow'],
  [/^#(?:f|e|d)[0-9a-f]?[0-7]/i, 'red'],
  [/^#[0-9a-c][0-9a-f]?[d-f]/i, 'green']
]

function groupNote({ raw, x, y }: RedNode): SourceNote {
  const fill = textOf(membersOf(raw.style).fill)
  const colour = COLOURS.find(([pattern]) => pattern.test(fill))?.[1]
  const size = { width: numberOf(raw.w), height: numberOf(raw.h) }
  return {
    text: textOf(raw.name),
    x,
    y,
    ...(size.width !== undefined &&
      size.height !== undefined && { width: size.width * 2, height: size.height * 2 }),
    ...(colour !== undefined && fill !== 'none' && { colour })
  }
}
