import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { publishedPackageJson } from '../scripts/package/package-json.mjs'
import { ROOT } from './support/stage.ts'

describe('the package.json that is published', () => {
  const published = publishedPackageJson(packageJson, new Set(['fastify', 'pino', '@ai-sdk/openai']))

  it('has Fastify as a peer, from the oldest one that was tried: an application brings its own', () => {
    assert.deepEqual(published.dependencies, { pino: packageJson.dependencies.pino })
    assert.equal(published.peerDependencies.fastify, '^5.12.0')
    assert.deepEqual(published.peerDependenciesMeta, { '@ai-sdk/openai': { optional: true } })
  })

  it('asks for the Fastify that the guide names', () => {
    const guide = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8')
    assert.match(guide, /\*\*Fastify 5\.12 or newer\*\*/)
  })
})
