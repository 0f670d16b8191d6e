import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FlowSpec } from '../life/flow-spec.ts'
import { KnownVersions } from './known-versions.ts'

const spec = (slug: string): FlowSpec => ({
  slug,
  context: 0,
  concurrency: 0,
  everySeconds: 0,
  segments: []
})

it('of two saves of one version, the one that was not refused is known', () => {
  const [one, other] = [spec('one'), spec('other')]
  const versions = new KnownVersions()
  const isOneSaved = versions.saving('a@2', one)
  const isOtherSaved = versions.saving('a@2', other)
  assert.equal(versions.get('a@2'), one, 'as long as nobody has heard')
  isOneSaved(true)
  isOtherSaved(false)
  assert.equal(versions.get('a@2'), one)
  const isThirdSaved = versions.saving('a@3', one)
  const isFourthSaved = versions.saving('a@3', other)
  isThirdSaved(false)
  assert.equal(versions.get('a@3'), other, 'the process may have died before it heard')
  isFourthSaved(true)
  assert.equal(versions.get('a@3'), other)
})
