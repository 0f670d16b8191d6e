import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Places } from './places.ts'

/** As much of a tree as the rules look at. */
class Part {
  parentNode: Part | null = null
  readonly name: string
  children: Part[] = []
  isRoot = false

  constructor(name: string, ...children: Part[]) {
    this.name = name
    this.children = children
    for (const child of children) child.parentNode = this
  }

  get isConnected(): boolean {
    return this.isRoot || this.parentNode?.isConnected === true
  }
}

/** What the browser would tell of it. */
function remove(part: Part) {
  const parent = part.parentNode!
  const at = parent.children.indexOf(part)
  const record = {
    target: parent,
    removedNodes: [part],
    previousSibling: parent.children[at - 1] ?? null
  }
  parent.children = parent.children.filter((child) => child !== part)
  part.parentNode = null
  return record
}

function where(places: Places<Part>, part: Part) {
  const gone = places.of(part)
  const nameOf = (node: Part | null) => node?.name
  if (gone === undefined) return undefined
  const { parent, previous } = gone.place
  return [nameOf(parent), nameOf(previous), gone.parts.map(nameOf).join(' ')]
}

function list() {
  const button = new Part('button')
  const rows = [new Part('a'), new Part('b', button), new Part('c'), new Part('d')]
  const root = new Part('list', ...rows)
  root.isRoot = true
  return { button, rows, places: new Places<Part>() }
}

describe('where something was', () => {
  it('is known of what is in a row that went, by its neighbours', () => {
    const { button, rows, places } = list()
    places.note(remove(rows[1]!))
    assert.deepEqual(where(places, button), ['list', 'a', 'button b'])
  })

  it('is known by the last neighbour that stayed', () => {
    const { button, rows, places } = list()
    const [a, b, c, d] = rows as [Part, Part, Part, Part]
    d.children = [button]
    button.parentNode = d
    for (const row of [c, b, d]) places.note(remove(row))
    assert.deepEqual(where(places, button), ['list', 'a', 'button d'])
    places.note(remove(a))
    assert.deepEqual(where(places, button), ['list', undefined, 'button d'])
  })

  it('is known of what went before the part that it was in', () => {
    const { button, rows, places } = list()
    places.note(remove(button))
    places.note(remove(rows[1]!))
    assert.deepEqual(where(places, button), ['list', 'a', 'button b'])
  })

  it('is not known of what was never seen to go', () => {
    const { places } = list()
    assert.equal(where(places, new Part('stranger')), undefined)
  })

  it('is found in bounded time where neighbours name each other', () => {
    const { button, rows, places } = list()
    const [a, b] = rows as [Part, Part]
    const target = a.parentNode!
    remove(a)
    remove(b)
    places.note({ target, removedNodes: [b], previousSibling: a })
    places.note({ target, removedNodes: [a], previousSibling: b })
    assert.deepEqual(where(places, button), ['list', undefined, 'button b'])
  })
})
