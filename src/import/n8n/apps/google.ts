import { type App, type Given, READS_A_PAGE } from './app.ts'
import { reply, sentMail } from './mail.ts'
import { googleSheets } from './sheets.ts'

const MESSAGE = '/users/me/messages/{@messageId}'

const gmail: App = {
  preset: 'gmail',
  calls: {
    'message/send': {
      send: 'POST /users/me/messages/send',
      body: (settings) => ({ raw: sentMail(settings) })
    },
    'message/get': {
      send: `GET ${MESSAGE}`,
      query: (settings) => ({ format: settings.raw('simple') === false ? 'full' : 'metadata' }),
      item: `({ ...data, ...Object.fromEntries((data.payload?.headers ?? []).map(({ name, value }) => [['From', 'To', 'Subject'].includes(name) ? name : name.toLowerCase(), value])) })`
    },
    'message/getAll': {
      send: 'GET /users/me/messages',
      query: { q: '@filters.q', maxResults: '@limit', labelIds: '@filters.labelIds' },
      item: 'data.messages ?? []',
      isMany: true,
      note: `It gives the ids of messages: fetch each by a second API Request, where more is read. ${READS_A_PAGE}`
    },
    'message/addLabels': { send: `POST ${MESSAGE}/modify`, body: { addLabelIds: '@labelIds' } },
    'message/removeLabels': { send: `POST ${MESSAGE}/modify`, body: { removeLabelIds: '@labelIds' } },
    'message/markAsRead': { send: `POST ${MESSAGE}/modify`, body: () => ({ removeLabelIds: ['UNREAD'] }) },
    'message/markAsUnread': { send: `POST ${MESSAGE}/modify`, body: () => ({ addLabelIds: ['UNREAD'] }) },
    'message/delete': { send: `DELETE ${MESSAGE}` },
    'message/reply': {
      send: 'POST /users/me/messages/send',
      before: {
        send: `GET ${MESSAGE}?format=metadata`,
        body: reply
      }
    },
    'draft/create': {
      send: 'POST /users/me/drafts',
      body: (settings) => ({
        message: { raw: sentMail(settings), ...(settings.given({ threadId: '@options.threadId' }) as Given) }
      })
    },
    'draft/get': { send: 'GET /users/me/drafts/{@messageId}' },
    'draft/delete': { send: 'DELETE /users/me/drafts/{@messageId}' },
    'draft/getAll': {
      send: 'GET /users/me/drafts',
      query: { maxResults: '@limit' },
      item: 'data.drafts ?? []',
      isMany: true
    },
    'label/create': { send: 'POST /users/me/labels', body: { name: '@name' } },
    'label/get': { send: 'GET /users/me/labels/{@labelId}' },
    'label/getAll': { send: 'GET /users/me/labels', item: 'data.labels ?? []', isMany: true },
    'label/delete': { send: 'DELETE /users/me/labels/{@labelId}' },
    'thread/get': { send: 'GET /users/me/threads/{@threadId}' },
    'thread/getAll': {
      send: 'GET /users/me/threads',
      query: { q: '@filters.q', maxResults: '@limit' },
      item: 'data.threads ?? []',
      isMany: true
    },
    'thread/addLabels': {
      send: 'POST /users/me/threads/{@threadId}/modify',
      body: { addLabelIds: '@labelIds' }
    },
    'thread/removeLabels': {
      send: 'POST /users/me/threads/{@threadId}/modify',
      body: { removeLabelIds: '@labelIds' }
    },
    'thread/trash': { send: 'POST /users/me/threads/{@threadId}/trash' },
    'thread/delete': { send: 'DELETE /users/me/threads/{@threadId}' }
  }
}

const FILE = '/files/{@fileId|folderNoRootId|fileFolderId}'

const googleDrive: App = {
  preset: 'google-drive',
  calls: {
    'file/upload': {
      send: 'POST https://www.googleapis.com/upload/drive/v3/files?uploadType=media',
      body: (settings) =>
        `{[${String(settings.raw('inputDataFieldName|binaryPropertyName') ?? 'data').replaceAll(']', '')}]?}`,
      bodyType: 'Binary',
      note: 'Name and folder of the file are set by a second API Request (PATCH /files/{id}).'
    },
    'file/download': {
      send: `GET ${FILE}?alt=media`,
      answers: 'Binary',
      item: '({ ...$json, data })',
      note: 'A document of Google is exported instead: /files/{id}/export?mimeType=application/pdf.'
    },
    'file/createFromText': {
      send: 'POST https://www.googleapis.com/upload/drive/v3/files?uploadType=media',
      body: (settings) => settings.template('content'),
      headers: { 'Content-Type': 'text/plain' },
      note: 'Name and folder of the file are set by a second API Request (PATCH /files/{id}).'
    },
    'file/copy': {
      send: `POST ${FILE}/copy`,
      body: { name: '@name', parents: ['@folderId'] }
    },
    'file/move': { send: `PATCH ${FILE}?addParents={@folderId}`, body: () => ({}) },
    'file/update': { send: `PATCH ${FILE}`, body: { name: '@newUpdatedFileName' } },
    'file/share': {
      send: `POST ${FILE}/permissions`,
      body: {
        role: '@permissionsUi.permissionsValues.role',
        type: '@permissionsUi.permissionsValues.type',
        emailAddress: '@permissionsUi.permissionsValues.emailAddress'
      }
    },
    'file/deleteFile': { send: `DELETE ${FILE}` },
    'file/delete': { send: `DELETE ${FILE}` },
    'file/list': {
      send: 'GET /files',
      query: { pageSize: '@limit', q: '@queryString' },
      item: 'data.files ?? []',
      isMany: true
    },
    'fileFolder/search': {
      send: 'GET /files',
      query: (settings) => {
        const said = settings.template('queryString')
        const folder = settings.template('filter.folderId')
        const isQuery = settings.raw('searchMethod') === 'query'
        const asks = [
          ...(said === '' ? [] : [isQuery ? said : `name contains '${said}'`]),
          ...(folder === '' || folder === 'root' ? [] : [`'${folder}' in parents`]),
          'trashed = false'
        ]
        return { q: asks.join(' and '), ...(settings.given({ pageSize: '@limit' }) as Given) }
      },
      item: 'data.files ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'folder/create': {
      send: 'POST /files',
      body: {
        name: '@name',
        mimeType: 'application/vnd.google-apps.folder',
        parents: ['@folderId']
      }
    },
    'folder/share': {
      send: `POST ${FILE}/permissions`,
      body: {
        role: '@permissionsUi.permissionsValues.role',
        type: '@permissionsUi.permissionsValues.type',
        emailAddress: '@permissionsUi.permissionsValues.emailAddress'
      }
    },
    'folder/deleteFolder': { send: `DELETE ${FILE}` }
  }
}

const EVENTS = '/calendars/{@calendar|calendarId}/events'
const EVENT = {
  summary: '@additionalFields.summary|updateFields.summary',
  description: '@additionalFields.description|updateFields.description',
  location: '@additionalFields.location|updateFields.location',
  start: { dateTime: '@start|updateFields.start', timeZone: '@additionalFields.timezone' },
  end: { dateTime: '@end|updateFields.end', timeZone: '@additionalFields.timezone' }
}

const googleCalendar: App = {
  preset: 'google-calendar',
  calls: {
    'event/create': {
      send: `POST ${EVENTS}`,
      body: (settings) => {
        const asked = [settings.raw('additionalFields.attendees') ?? []].flat()
        const attendees = asked.map((email) => ({ email: settings.filled(email) }))
        return { ...(settings.given(EVENT) as Given), ...(attendees.length > 0 && { attendees }) }
      }
    },
    'event/update': { send: `PATCH ${EVENTS}/{@eventId}`, body: EVENT },
    'event/get': { send: `GET ${EVENTS}/{@eventId}` },
    'event/delete': { send: `DELETE ${EVENTS}/{@eventId}` },
    'event/getAll': {
      send: `GET ${EVENTS}`,
      query: {
        timeMin: '@timeMin|options.timeMin',
        timeMax: '@timeMax|options.timeMax',
        maxResults: '@limit',
        q: '@options.query',
        singleEvents: '@options.singleEvents',
        orderBy: '@options.orderBy'
      },
      item: 'data.items ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'calendar/availability': {
      send: 'POST /freeBusy',
      body: (settings) => ({
        timeMin: settings.template('timeMin'),
        timeMax: settings.template('timeMax'),
        items: [{ id: settings.template('calendar') }]
      }),
      item: '({ available: Object.values(data.calendars ?? {}).every(({ busy }) => busy.length === 0) })'
    }
  }
}

const DOCUMENT = 'https://docs.googleapis.com/v1/documents'

const googleDocs: App = {
  preset: 'google-drive',
  calls: {
    'document/create': { send: `POST ${DOCUMENT}`, body: { title: '@title' } },
    'document/get': {
      send: `GET ${DOCUMENT}/{@documentURL}`,
      item: `({ ...data, content: (data.body?.content ?? []).flatMap(({ paragraph }) => paragraph?.elements ?? []).map(({ textRun }) => textRun?.content ?? '').join('') })`
    },
    'document/update': {
      send: `POST ${DOCUMENT}/{@documentURL}:batchUpdate`,
      body: (settings) => ({
        requests: settings.rows('actionsUi', 'actionFields').map((row) =>
          row.action === 'replaceAll'
            ? {
                replaceAllText: {
                  containsText: { text: settings.filled(row.text), matchCase: row.matchCase === true },
                  replaceText: settings.filled(row.replaceText)
                }
              }
            : { insertText: { text: settings.filled(row.text), endOfSegmentLocation: {} } }
        )
      }),
      note: 'Texts are put in at the end, or replaced; other changes are to be written into the body.'
    }
  }
}

const youTube: App = {
  preset: 'youtube',
  calls: {
    'channel/getAll': {
      send: 'GET /channels',
      query: (settings) => ({
        part: 'snippet,contentDetails,statistics',
        ...(settings.given({ id: '@filters.id', maxResults: '@limit' }) as Given)
      }),
      item: 'data.items ?? []',
      isMany: true
    },
    'channel/get': {
      send: 'GET /channels?part=snippet,contentDetails,statistics&id={@channelId}',
      item: 'data.items?.[0]'
    },
    'playlistItem/getAll': {
      send: 'GET /playlistItems?part=snippet,contentDetails&playlistId={@playlistId}',
      query: { maxResults: '@limit' },
      item: 'data.items ?? []',
      isMany: true
    },
    'playlist/getAll': {
      send: 'GET /playlists?part=snippet,contentDetails',
      query: { channelId: '@filters.channelId', maxResults: '@limit' },
      item: 'data.items ?? []',
      isMany: true
    },
    'video/getAll': {
      send: 'GET /search?part=snippet&type=video',
      query: {
        channelId: '@filters.channelId',
        q: '@filters.q',
        order: '@options.order',
        publishedAfter: '@filters.publishedAfter',
        maxResults: '@limit'
      },
      item: 'data.items ?? []',
      isMany: true
    },
    'video/get': {
      send: 'GET /videos?part=snippet,contentDetails,statistics&id={@videoId}',
      item: 'data.items?.[0]'
    }
  }
}

export const GOOGLE: Readonly<Record<string, App>> = {
  googleSheets,
  gmail,
  googleDrive,
  googleCalendar,
  googleDocs,
  youTube
}
