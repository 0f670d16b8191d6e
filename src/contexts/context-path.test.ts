import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  childPath,
  commonAncestor,
  depthOf,
  isContextName,
  isWithin,
  nameOf,
  parentPath,
  ROOT,
  segmentFrom
} from './context-path.ts'

const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join('/')}`)

describe('the path of a context', () => {
  it('is its parent’s and its name', () => {
    assert.equal(childPath('/', 'sales'), '/sales')
    assert.equal(childPath('/sales', 'eu'), '/sales/eu')
    fc.assert(
      fc.property(path, name, (parent, child) => {
        const whole = childPath(parent, child)
        assert.deepEqual(
          [parentPath(whole), nameOf(whole), depthOf(whole)],
          [parent, child, depthOf(parent) + 1]
        )
      })
    )
  })

  it('of the root has no parent', () => {
    assert.equal(parentPath(ROOT), undefined)
    assert.equal(parentPath('/sales'), ROOT)
    assert.deepEqual([depthOf(ROOT), depthOf('/sales'), depthOf('/sales/eu')], [0, 1, 2])
  })
})

describe('lying within', () => {
  it('is being the context or below it, and not just beginning with the same letters', () => {
    const rows: [path: string, ancestor: string, within: boolean][] = [
      ['/sales', '/sales', true],
      ['/sales/eu', '/sales', true],
      ['/sales/eu/west', '/sales', true],
      ['/salesmen', '/sales', false],
      ['/sales', '/sales/eu', false],
      ['/', '/sales', false],
      ['/sales', '/', true],
      ['/', '/', true]
    ]
    for (const [inner, outer, within] of rows)
      assert.equal(isWithin(inner, outer), within, `${inner} ${outer}`)
  })

  it('is shared by two contexts up to their nearest common ancestor', () => {
    assert.equal(commonAncestor('/sales/eu', '/sales/us'), '/sales')
    assert.equal(commonAncestor('/sales', '/sales/us'), '/sales')
    assert.equal(commonAncestor('/sales', '/salesmen'), '/')
    fc.assert(
      fc.property(path, path, (a, b) => {
        const common = commonAncestor(a, b)
        assert.ok(isWithin(a, common) && isWithin(b, common))
        assert.equal(common, commonAncestor(b, a))
        const deeper = [a, b].map(
          (one) =>
            `/${one
              .split('/')
              .slice(1, depthOf(common) + 2)
              .join('/')}`
        )
        if (depthOf(a) > depthOf(common) && depthOf(b) > depthOf(common)) {
          assert.notEqual(deeper[0], deeper[1], 'there is no nearer one')
        }
      })
    )
  })
})

describe('a name', () => {
  it('is one segment of letters, digits, hyphens and underscores', () => {
    for (const good of ['eu', 'EU_1', '-', 'x'.repeat(60)]) assert.ok(isContextName(good), good)
    for (const bad of ['', 'a/b', '..', 'a b', 'é', 'x'.repeat(61), 'a\n', 7, undefined, null]) {
      assert.ok(!isContextName(bad), String(bad))
    }
  })

  it('is made from whatever a function, a package or a file is called', () => {
    const rows: [from: string, name: string][] = [
      ['sales', 'sales'],
      ['@fastify/bearer-auth', 'bearer-auth'],
      ['./plugins/my plugin.ts', 'my-plugin'],
      ['C:\\plugins\\sales.mjs', 'sales'],
      ['sales.v2', 'sales-v2'],
      ['bound sales', 'bound-sales'],
      ['日本', 'plugin'],
      ['', 'plugin']
    ]
    for (const [from, made] of rows) assert.equal(segmentFrom(from), made, from)
    fc.assert(fc.property(fc.string(), (text) => assert.ok(isContextName(segmentFrom(text)), text)))
  })
})
