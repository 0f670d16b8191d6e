import type { FlowTemplate } from './flow-template.ts'

export const repositoryEvent: FlowTemplate = {
  id: 'repository-event',
  title: 'Repository event',
  summary: 'GitHub posts every push. The message names the branch, the author and the newest commit.',
  document: {
    name: 'Repository events',
    description: 'Tells of every push to the repository.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: [
            '{pusher.name} pushed to {repository.full_name}, {ref}',
            '{head_commit.message?The branch was deleted.}',
            '{compare}'
          ].join('\n')
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 780, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Before you give the address to GitHub, choose *Signature* as authentication, the scheme *GitHub*, and paste the secret that you enter there.',
        position: { x: 0, y: -160 },
        size: { width: 320, height: 120 },
        colour: 'green'
      }
    ]
  },
  sample: {
    ref: 'refs/heads/main',
    before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    after: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
    compare: 'https://github.com/example/mill/compare/6113728f27ae...0d1a26e67d8f',
    pusher: { name: 'octo', email: 'octo@example.com' },
    repository: { id: 186_853_002, full_name: 'example/mill', default_branch: 'main' },
    head_commit: {
      id: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
      message: 'Turn the wheel the other way',
      author: { name: 'Octo', username: 'octo' }
    }
  }
}
