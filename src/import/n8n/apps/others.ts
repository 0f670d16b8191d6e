import { textOf } from '../../values.ts'
import { type App, type Given, READS_A_PAGE } from './app.ts'
import type { Settings } from './settings.ts'

const MAIL = '/me/messages/{@messageId}'

function people(names: string, settings: Settings): unknown {
  const text = settings.template(names)
  return text === ''
    ? undefined
    : text.split(',').map((address) => ({ emailAddress: { address: address.trim() } }))
}

function outlookMail(settings: Settings): unknown {
  const to = people('toRecipients', settings)
  const cc = people('additionalFields.ccRecipients', settings)
  const kind = textOf(settings.raw('additionalFields.bodyContentType|bodyContentType')) || 'Text'
  return {
    subject: settings.template('subject'),
    body: { contentType: kind, content: settings.template('bodyContent') },
    ...(to !== undefined && { toRecipients: to }),
    ...(cc !== undefined && { ccRecipients: cc })
  }
}

const microsoftOutlook: App = {
  preset: 'microsoft-graph',
  calls: {
    'message/send': { send: 'POST /me/sendMail', body: (settings) => ({ message: outlookMail(settings) }) },
    'message/get': { send: `GET ${MAIL}` },
    'message/getAll': {
      send: 'GET /me/messages',
      query: {
        $top: '@limit',
        $filter: '@filtersUI.values.filters.custom|filters.custom',
        $search: '@filtersUI.values.search'
      },
      item: 'data.value ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'message/reply': {
      send: `POST ${MAIL}/reply`,
      body: (settings) => ({ comment: settings.template('message|bodyContent') })
    },
    'message/move': { send: `POST ${MAIL}/move`, body: { destinationId: '@folderId|destinationId' } },
    'message/update': {
      send: `PATCH ${MAIL}`,
      body: {
        categories: '@updateFields.categories',
        isRead: '@updateFields.isRead',
        subject: '@updateFields.subject',
        importance: '@updateFields.importance'
      }
    },
    'message/delete': { send: `DELETE ${MAIL}` },
    'draft/create': { send: 'POST /me/messages', body: outlookMail },
    'draft/send': { send: 'POST /me/messages/{@draftId}/send' },
    'folder/getAll': { send: 'GET /me/mailFolders', item: 'data.value ?? []', isMany: true },
    'event/create': {
      send: 'POST /me/events',
      body: (settings) => {
        const timeZone = settings.template('additionalFields.timeZone') || 'UTC'
        return {
          subject: settings.template('subject'),
          start: { dateTime: settings.template('startDateTime'), timeZone },
          end: { dateTime: settings.template('endDateTime'), timeZone },
          ...(settings.given({ body: { contentType: 'HTML', content: '@additionalFields.body' } }) as Given)
        }
      }
    },
    'event/getAll': {
      send: 'GET /me/events',
      query: { $top: '@limit' },
      item: 'data.value ?? []',
      isMany: true
    },
    'contact/getAll': {
      send: 'GET /me/contacts',
      query: { $top: '@limit' },
      item: 'data.value ?? []',
      isMany: true
    }
  }
}

const microsoftTeams: App = {
  preset: 'microsoft-graph',
  calls: {
    'channelMessage/create': {
      send: 'POST /teams/{@teamId}/channels/{@channelId}/messages',
      body: (settings) => ({
        body: {
          contentType: settings.template('contentType') || 'text',
          content: settings.template('message')
        }
      })
    },
    'chatMessage/create': {
      send: 'POST /chats/{@chatId}/messages',
      body: (settings) => ({
        body: {
          contentType: settings.template('contentType') || 'text',
          content: settings.template('message')
        }
      })
    }
  }
}

const openWeatherMap: App = {
  preset: 'openweather',
  calls: weather()
}

/** Its operations are of no resource. */
function weather(): App['calls'] {
  const query = (settings: Settings): Given => ({
    ...(settings.given({
      q: '@cityName',
      id: '@cityId',
      lat: '@latitude',
      lon: '@longitude',
      zip: '@zipCode',
      lang: '@language'
    }) as Given),
    units: settings.template('format') || 'metric'
  })
  return {
    '/currentWeather': { send: 'GET /weather', query },
    '/5DayForecast': { send: 'GET /forecast', query }
  }
}

const twitter: App = {
  preset: 'x',
  calls: {
    'tweet/create': { send: 'POST /tweets', body: { text: '@text' }, item: 'data.data ?? data' },
    'tweet/delete': { send: 'DELETE /tweets/{@tweetDeleteId}', item: 'data.data ?? data' },
    'tweet/search': {
      send: 'GET /tweets/search/recent',
      query: { query: '@searchText', max_results: '@limit' },
      item: 'data.data ?? []',
      isMany: true
    },
    'tweet/like': { send: 'POST /users/me/likes', body: { tweet_id: '@tweetId' } },
    'user/searchUser': { send: 'GET /users/by/username/{@user}', item: 'data.data ?? data' }
  }
}

const linkedIn: App = {
  preset: '',
  calls: {
    'post/create': {
      send: 'POST https://api.linkedin.com/rest/posts',
      headers: { 'X-Restli-Protocol-Version': '2.0.0' },
      body: (settings) => ({
        author: `urn:li:${settings.raw('postAs') === 'organization' ? 'organization' : 'person'}:${settings.template('organization|person')}`,
        commentary: settings.template('text'),
        visibility: settings.template('additionalFields.visibility') || 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED' },
        lifecycleState: 'PUBLISHED'
      })
    }
  }
}

const hackerNews: App = {
  calls: {
    'all/getAll': {
      send: 'GET https://hn.algolia.com/api/v1/search',
      query: { query: '@additionalFields.keyword', tags: '@additionalFields.tags', hitsPerPage: '@limit' },
      item: 'data.hits ?? []',
      isMany: true
    },
    'article/get': { send: 'GET https://hn.algolia.com/api/v1/items/{@articleId}' },
    'user/get': { send: 'GET https://hn.algolia.com/api/v1/users/{@username}' }
  }
}

const GRAPH = 'https://{@hostUrl}/{@graphApiVersion}'
const graph = (method: string): App['calls'][string] => ({
  send: `${method} ${GRAPH}/{@node}/{@edge}`,
  query: (settings) =>
    settings.table(settings.rows('options', 'queryParameters', 'parameter'), 'name', 'value')
})

/** A request under another name. */
const facebookGraphApi: App = {
  preset: '',
  calls: { '/': graph('GET') }
}

const perplexity: App = {
  preset: '',
  calls: {
    'chat/complete': {
      send: 'POST https://api.perplexity.ai/chat/completions',
      body: (settings) => ({
        model: settings.template('model') || 'sonar',
        messages: settings
          .rows('messages', 'message')
          .map(({ role, content }) => ({ role: textOf(role) || 'user', content: settings.filled(content) }))
      }),
      item: (settings) =>
        settings.raw('simplify') === true ? '({ message: data.choices?.[0]?.message?.content })' : 'data'
    }
  }
}

const SPOTIFY = 'https://api.spotify.com/v1'
const spotify: App = {
  preset: '',
  calls: {
    'player/addSongToQueue': { send: `POST ${SPOTIFY}/me/player/queue`, query: { uri: '@id' } },
    'player/currentlyPlaying': { send: `GET ${SPOTIFY}/me/player/currently-playing` },
    'player/nextSong': { send: `POST ${SPOTIFY}/me/player/next` },
    'player/pause': { send: `PUT ${SPOTIFY}/me/player/pause` },
    'player/resume': { send: `PUT ${SPOTIFY}/me/player/play` },
    'track/search': {
      send: `GET ${SPOTIFY}/search?type=track`,
      query: { q: '@query', limit: '@limit' },
      item: 'data.tracks?.items ?? []',
      isMany: true
    },
    'playlist/add': { send: `POST ${SPOTIFY}/playlists/{@id}/tracks`, query: { uris: '@trackID' } },
    'playlist/create': {
      send: `POST ${SPOTIFY}/me/playlists`,
      body: { name: '@name', description: '@additionalFields.description' }
    },
    'playlist/getUserPlaylists': {
      send: `GET ${SPOTIFY}/me/playlists`,
      query: { limit: '@limit' },
      item: 'data.items ?? []',
      isMany: true
    },
    'playlist/getTracks': {
      send: `GET ${SPOTIFY}/playlists/{@id}/tracks`,
      query: { limit: '@limit' },
      item: 'data.items ?? []',
      isMany: true
    },
    'playlist/get': { send: `GET ${SPOTIFY}/playlists/{@id}` },
    'library/getLikedTracks': {
      send: `GET ${SPOTIFY}/me/tracks`,
      query: { limit: '@limit' },
      item: 'data.items ?? []',
      isMany: true
    }
  }
}

export const OTHERS: Readonly<Record<string, App>> = {
  microsoftOutlook,
  microsoftTeams,
  openWeatherMap,
  twitter,
  linkedIn,
  hackerNews,
  facebookGraphApi,
  perplexity,
  spotify
}
