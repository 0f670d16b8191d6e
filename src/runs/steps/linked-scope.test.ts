import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ContextTree } from '../../contexts/context-tree.ts'
import { fillVariables } from '../../flows/component/context-variables.ts'
import { compileTemplate } from '../../flows/template/compile-template.ts'
import { linkedScope } from './linked-scope.ts'
import { RunScopes } from './run-scope.ts'

const scope = new RunScopes(new ContextTree()).of('/')
const linked = { resume: ['call-1'], approve: ['ask-1'] }
const addresses = { of: (name: string, runId: string, node: string) => `https://x/${name}/${runId}/${node}` }

describe('the addresses of a run', () => {
  it('are read in templates and in fields', () => {
    const { variables } = linkedScope(scope, linked, 'r1', addresses)
    const template = compileTemplate('{$resume.call-1} {$approve.ask-1} {$resume.gone?}')
    assert.equal(template.render({}, variables), 'https://x/resume/r1/call-1 https://x/approve/r1/ask-1 ')
    assert.equal(
      fillVariables('{$resume.call-1} {$resume} {$a.b}', 'url', variables),
      'https://x/resume/r1/call-1 {$resume} {$a.b}'
    )
  })

  it('fail the step that reads one where nobody knows them', () => {
    const { variables } = linkedScope(scope, linked, 'r1', { of: () => undefined })
    assert.throws(() => compileTemplate('{$resume.call-1}').render({}, variables), {
      code: 'public_url_missing',
      message: /MILLRACE_PUBLIC_URL/
    })
  })
})
