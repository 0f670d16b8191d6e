/** A small API as OpenAPI 3.1, with parameters in every place and styles. */
export function pets() {
  const pet = {
    type: 'object',
    required: ['name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', description: 'What it is called' },
      age: { type: 'integer' },
      weight: { type: 'number' },
      is_tame: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      parent: { $ref: '#/components/schemas/Pet' }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '2.0' },
    servers: [{ url: 'https://elsewhere.example/v9' }],
    paths: {
      '/owners/{owner}/pets': {
        parameters: [{ name: 'owner', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'listPets',
          summary: 'List the pets of an owner',
          parameters: [
            { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
            {
              name: 'ids',
              in: 'query',
              style: 'form',
              explode: false,
              schema: { type: 'array', items: { type: 'integer' } }
            },
            { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            { name: 'session', in: 'cookie', schema: { type: 'string' } }
          ]
        },
        post: {
          operationId: 'addPet',
          summary: 'Add a pet',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
          }
        }
      },
      '/pets/{id}': {
        get: { summary: 'Read one pet' },
        delete: { operationId: 'removePet', summary: 'Remove a pet', deprecated: true }
      },
      '/pets/{id}/meals': {
        post: {
          operationId: 'feedPet',
          summary: 'Feed a pet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  properties: { what: { type: 'string' }, extras: { type: 'object' } }
                },
                encoding: { extras: { style: 'deepObject', explode: true } }
              }
            }
          }
        }
      },
      '/pets/{id}/photo': {
        put: {
          operationId: 'photographPet',
          summary: 'Upload a photo of a pet',
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: { photo: { type: 'string', format: 'binary' }, note: { type: 'string' } }
                }
              }
            }
          }
        }
      }
    },
    components: { schemas: { Pet: pet } }
  }
}
