import { waitForLine } from '../ready-line.ts'
import { API_KEY, ROOT, type Service } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'

export async function startModel(workspace: Workspace): Promise<{ url: string; pid: number }> {
  const child = workspace.spawn(process.execPath, ['bench/model-upstream.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  return { url: await waitForLine(child, /The model is ready at (\S+)\n/, 30_000), pid: child.pid! }
}

export async function connectModel(service: Service, model: string): Promise<void> {
  await post(service, '/api/v1/connections', {
    name: 'model',
    kind: 'openai-compatible',
    settings: { base_url: `${model}/v1` },
    secrets: { api_key: 'bench-key-0123456789' }
  })
}

/** Webhook → Language Model, for each of these slugs; the payload says how many tokens are wanted. */
export async function createModelFlow(
  service: Service,
  model: string,
  slugs: readonly string[]
): Promise<void> {
  await connectModel(service, model)
  for (const slug of slugs) {
    await post(service, '/api/v1/flows', {
      name: slug,
      slug,
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        {
          id: 'model-1',
          type: 'language-model',
          fields: { connection: 'model', model: 'bench', prompt: '{tokens}' }
        }
      ],
      edges: [{ from: 'webhook-1.data', to: 'model-1.data' }]
    })
  }
}

export async function post(service: Service, path: string, body: object): Promise<void> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`)
}
