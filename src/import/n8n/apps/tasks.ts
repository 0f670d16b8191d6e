import { type App, READS_A_PAGE } from './app.ts'

const todoist: App = {
  preset: 'todoist',
  calls: {
    'task/create': {
      send: 'POST /tasks',
      body: {
        content: '@content',
        project_id: '@project',
        description: '@options.description',
        due_string: '@options.dueString',
        due_datetime: '@options.dueDateTime',
        priority: '@options.priority',
        labels: '@labels'
      }
    },
    'task/close': { send: 'POST /tasks/{@taskId}/close' },
    'task/delete': { send: 'DELETE /tasks/{@taskId}' },
    'task/get': { send: 'GET /tasks/{@taskId}' },
    'task/getAll': {
      send: 'GET /tasks',
      query: { project_id: '@filters.projectId', filter: '@filters.filter', limit: '@limit' },
      item: 'data.results ?? $list(data)',
      isMany: true
    },
    'task/update': {
      send: 'POST /tasks/{@taskId}',
      body: {
        content: '@updateFields.content',
        description: '@updateFields.description',
        due_string: '@updateFields.dueString',
        priority: '@updateFields.priority'
      }
    }
  }
}

const trello: App = {
  preset: 'trello',
  calls: {
    'card/create': {
      send: 'POST /cards',
      query: { idList: '@listId', name: '@name', desc: '@description', due: '@additionalFields.due' }
    },
    'card/update': {
      send: 'PUT /cards/{@id|cardId}',
      query: {
        name: '@updateFields.name',
        desc: '@updateFields.description',
        idList: '@updateFields.idList',
        closed: '@updateFields.closed'
      }
    },
    'card/get': { send: 'GET /cards/{@id|cardId}' },
    'card/delete': { send: 'DELETE /cards/{@id|cardId}' },
    'cardComment/create': { send: 'POST /cards/{@cardId}/actions/comments', query: { text: '@text' } },
    'list/getCards': { send: 'GET /lists/{@id}/cards', isMany: true },
    'list/getAll': { send: 'GET /boards/{@id}/lists', isMany: true },
    'board/get': { send: 'GET /boards/{@id}' },
    'board/create': { send: 'POST /boards', query: { name: '@name', desc: '@description' } }
  }
}

const clickUp: App = {
  preset: 'clickup',
  calls: {
    'task/create': {
      send: 'POST /list/{@list}/task',
      body: {
        name: '@name',
        description: '@additionalFields.content|additionalFields.description',
        status: '@additionalFields.status',
        priority: '@additionalFields.priority',
        assignees: '@additionalFields.assignees'
      }
    },
    'task/get': { send: 'GET /task/{@id}' },
    'task/getAll': { send: 'GET /list/{@list}/task', item: 'data.tasks ?? []', isMany: true },
    'task/update': {
      send: 'PUT /task/{@id}',
      body: {
        name: '@updateFields.name',
        description: '@updateFields.content',
        status: '@updateFields.status'
      }
    },
    'comment/create': { send: 'POST /task/{@id}/comment', body: { comment_text: '@commentText' } }
  }
}

const asana: App = {
  preset: 'asana',
  calls: {
    'task/create': {
      send: 'POST /tasks',
      body: {
        data: {
          name: '@name',
          workspace: '@workspace',
          notes: '@otherProperties.notes',
          assignee: '@otherProperties.assignee',
          due_on: '@otherProperties.due_on',
          projects: '@otherProperties.projects'
        }
      },
      item: 'data.data'
    },
    'task/get': { send: 'GET /tasks/{@id}', item: 'data.data' },
    'task/getAll': {
      send: 'GET /tasks',
      query: { project: '@filters.project', limit: '@limit' },
      item: 'data.data ?? []',
      isMany: true
    },
    'task/update': {
      send: 'PUT /tasks/{@id}',
      body: {
        data: {
          name: '@otherProperties.name',
          notes: '@otherProperties.notes',
          completed: '@otherProperties.completed'
        }
      },
      item: 'data.data'
    },
    'taskComment/add': {
      send: 'POST /tasks/{@id}/stories',
      body: { data: { text: '@text' } },
      item: 'data.data'
    }
  }
}

function post(path: string): App['calls'] {
  const body = {
    title: '@title|updateFields.title',
    content: '@additionalFields.content|updateFields.content',
    status: '@additionalFields.status|updateFields.status',
    slug: '@additionalFields.slug|updateFields.slug',
    categories: '@additionalFields.categories|updateFields.categories',
    tags: '@additionalFields.tags|updateFields.tags'
  }
  const kind = path.slice(1, -1)
  return {
    [`${kind}/create`]: { send: `POST ${path}`, body },
    [`${kind}/get`]: { send: `GET ${path}/{@${kind}Id}` },
    [`${kind}/getAll`]: {
      send: `GET ${path}`,
      query: {
        per_page: '@limit',
        search: '@options.search',
        after: '@options.after',
        orderby: '@options.orderBy',
        status: '@options.status'
      },
      isMany: true,
      note: READS_A_PAGE
    },
    [`${kind}/update`]: { send: `POST ${path}/{@${kind}Id}`, body }
  }
}

const wordpress: App = {
  preset: 'wordpress',
  calls: {
    ...post('/posts'),
    ...post('/pages'),
    'user/getAll': { send: 'GET /users', isMany: true },
    'user/get': { send: 'GET /users/{@userId}' }
  }
}

/** Tasks, cards and posts. */
export const TASKS: Readonly<Record<string, App>> = { todoist, trello, clickUp, asana, wordpress }
