import type { App } from './app.ts'

export const mattermost: App = {
  preset: 'mattermost',
  calls: {
    'message/post': {
      send: 'POST /posts',
      body: { channel_id: '@channelId', message: '@message', root_id: '@otherOptions.root_id' }
    },
    'message/delete': { send: 'DELETE /posts/{@postId}' },
    'message/postEphemeral': {
      send: 'POST /posts/ephemeral',
      body: { user_id: '@userId', post: { channel_id: '@channelId', message: '@message' } }
    },
    'channel/create': {
      send: 'POST /channels',
      body: { team_id: '@teamId', name: '@channel', display_name: '@displayName', type: 'O' }
    },
    'channel/addUser': { send: 'POST /channels/{@channelId}/members', body: { user_id: '@userId' } },
    'channel/members': { send: 'GET /channels/{@channelId}/members', isMany: true },
    'user/getByEmail': { send: 'GET /users/email/{@email}' },
    'user/getById': { send: 'GET /users/{@userIds}' },
    'user/getAll': { send: 'GET /users', isMany: true }
  }
}

export const twilio: App = {
  preset: 'twilio',
  calls: {
    'sms/send': {
      send: 'POST /Accounts/AccountSid/Messages.json',
      body: (settings) => {
        const isWhatsApp = settings.raw('toWhatsapp') === true
        const of = (name: string) => `${isWhatsApp ? 'whatsapp:' : ''}${settings.template(name)}`
        return { To: of('to'), From: of('from'), Body: settings.template('message') }
      },
      bodyType: 'Form',
      note: 'Write your Account SID into the URL.'
    },
    'call/make': {
      send: 'POST /Accounts/AccountSid/Calls.json',
      body: { To: '@to', From: '@from', Twiml: '@message' },
      bodyType: 'Form',
      note: 'Write your Account SID into the URL.'
    }
  }
}

export const zendesk: App = {
  preset: 'zendesk',
  calls: {
    'ticket/create': {
      send: 'POST /tickets.json',
      body: {
        ticket: {
          comment: { body: '@description' },
          subject: '@additionalFields.subject',
          priority: '@additionalFields.priority',
          status: '@additionalFields.status',
          type: '@additionalFields.type',
          tags: '@additionalFields.tags',
          external_id: '@additionalFields.externalId'
        }
      },
      item: 'data.ticket'
    },
    'ticket/update': {
      send: 'PUT /tickets/{@id}.json',
      body: {
        ticket: {
          subject: '@updateFields.subject',
          priority: '@updateFields.priority',
          status: '@updateFields.status',
          type: '@updateFields.type',
          tags: '@updateFields.tags',
          external_id: '@updateFields.externalId',
          comment: { body: '@updateFields.publicReply|updateFields.internalNote' }
        }
      },
      item: 'data.ticket'
    },
    'ticket/get': { send: 'GET /tickets/{@id}.json', item: 'data.ticket' },
    'ticket/getAll': {
      send: 'GET /search.json',
      query: { query: '@options.query', per_page: '@limit', sort_by: '@options.sortBy' },
      item: 'data.results ?? []',
      isMany: true
    },
    'ticket/delete': { send: 'DELETE /tickets/{@id}.json' },
    'user/get': { send: 'GET /users/{@id}.json', item: 'data.user' },
    'user/search': {
      send: 'GET /users/search.json',
      query: { query: '@filters.query' },
      item: 'data.users ?? []',
      isMany: true
    },
    'user/getAll': { send: 'GET /users.json', item: 'data.users ?? []', isMany: true },
    'organization/get': { send: 'GET /organizations/{@id}.json', item: 'data.organization' }
  }
}
