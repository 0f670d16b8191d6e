import { textOf } from '../../values.ts'
import type { App, Given } from './app.ts'
import type { Settings } from './settings.ts'
import { mattermost, twilio, zendesk } from './support.ts'
import { telegram } from './telegram.ts'

/** A channel, or a person. */
const TO_CHANNEL = '@channelId|user|channel'

function slackMessage(settings: Settings): unknown {
  const given = settings.given({
    channel: TO_CHANNEL,
    text: '@text|messageText',
    thread_ts: '@otherOptions.thread_ts.replyValues.thread_ts|otherOptions.thread_ts',
    unfurl_links: '@otherOptions.unfurl_links',
    unfurl_media: '@otherOptions.unfurl_media',
    icon_emoji: '@otherOptions.icon_emoji',
    username: '@otherOptions.botProfile.imageValues.username',
    mrkdwn: '@otherOptions.mrkdwn'
  }) as Given
  const blocks = settings.raw('blocksUi')
  return typeof blocks === 'string' ? { ...given, blocks: settings.write.template(blocks) } : given
}

const slack: App = {
  preset: 'slack',
  calls: {
    'message/post': { send: 'POST /chat.postMessage', body: slackMessage },
    'message/update': {
      send: 'POST /chat.update',
      body: { channel: '@channelId', ts: '@ts', text: '@text' }
    },
    'message/delete': { send: 'POST /chat.delete', body: { channel: '@channelId', ts: '@timestamp' } },
    'message/getPermalink': {
      send: 'GET /chat.getPermalink',
      query: { channel: '@channelId', message_ts: '@timestamp' }
    },
    'message/search': {
      send: 'GET /search.messages',
      query: { query: '@query', count: '@limit' },
      item: 'data.messages?.matches ?? []',
      isMany: true
    },
    'message/sendAndWait': {
      send: 'POST /chat.postMessage',
      body: { channel: '@channelId|user', text: '@message' },
      note: 'It waited for an answer: put an Approve behind it, and its address into the text ({$approve.…}).'
    },
    'channel/create': {
      send: 'POST /conversations.create',
      body: { name: '@channelId' },
      item: 'data.channel'
    },
    'channel/get': {
      send: 'GET /conversations.info',
      query: { channel: '@channelId' },
      item: 'data.channel'
    },
    'channel/getAll': {
      send: 'GET /conversations.list',
      query: { limit: '@limit' },
      item: 'data.channels ?? []',
      isMany: true
    },
    'channel/history': {
      send: 'GET /conversations.history',
      query: { channel: '@channelId', limit: '@limit', oldest: '@filters.oldest', latest: '@filters.latest' },
      item: 'data.messages ?? []',
      isMany: true
    },
    'channel/replies': {
      send: 'GET /conversations.replies',
      query: { channel: '@channelId', ts: '@ts', limit: '@limit' },
      item: 'data.messages ?? []',
      isMany: true
    },
    'channel/invite': {
      send: 'POST /conversations.invite',
      body: (settings) => ({
        channel: settings.template('channelId'),
        users: [settings.raw('userIds')]
          .flat()
          .map((id) => settings.write.template(id))
          .join(',')
      }),
      item: 'data.channel'
    },
    'channel/member': {
      send: 'GET /conversations.members',
      query: { channel: '@channelId', limit: '@limit' },
      item: '(data.members ?? []).map((member) => ({ member }))',
      isMany: true
    },
    'user/info': { send: 'GET /users.info', query: { user: '@user' }, item: 'data.user' },
    'user/get': { send: 'GET /users.info', query: { user: '@user' }, item: 'data.user' },
    'user/getAll': {
      send: 'GET /users.list',
      query: { limit: '@limit' },
      item: 'data.members ?? []',
      isMany: true
    },
    'user/getProfile': { send: 'GET /users.profile.get', query: { user: '@user' }, item: 'data.profile' },
    'reaction/add': {
      send: 'POST /reactions.add',
      body: { channel: '@channelId', name: '@name', timestamp: '@timestamp' }
    },
    'reaction/get': {
      send: 'GET /reactions.get',
      query: { channel: '@channelId', timestamp: '@timestamp' }
    },
    'star/add': {
      send: 'POST /stars.add',
      body: { channel: '@target|channelId', timestamp: '@options.timestamp' }
    }
  }
}

const discord: App = {
  preset: 'discord',
  calls: {
    'message/send': {
      send: 'POST /channels/{@channelId}/messages',
      body: (settings) => ({
        content: settings.template('content'),
        ...(settings.given({ tts: '@options.tts' }) as Given),
        ...embedsOf(settings)
      }),
      note: 'Where it sent by a webhook of Discord, make the URL that address.'
    },
    'message/deleteMessage': { send: 'DELETE /channels/{@channelId}/messages/{@messageId}' },
    'message/get': { send: 'GET /channels/{@channelId}/messages/{@messageId}' },
    'message/getAll': {
      send: 'GET /channels/{@channelId}/messages',
      query: { limit: '@limit' },
      isMany: true
    },
    'message/react': { send: 'PUT /channels/{@channelId}/messages/{@messageId}/reactions/{@emoji}/@me' },
    'channel/create': {
      send: 'POST /guilds/{@guildId}/channels',
      body: { name: '@name', type: '@type', topic: '@options.topic' }
    },
    'channel/deleteChannel': { send: 'DELETE /channels/{@channelId}' },
    'channel/get': { send: 'GET /channels/{@channelId}' },
    'channel/getAll': { send: 'GET /guilds/{@guildId}/channels', isMany: true },
    'member/getAll': {
      send: 'GET /guilds/{@guildId}/members',
      query: { limit: '@limit' },
      isMany: true
    },
    'member/roleAdd': { send: 'PUT /guilds/{@guildId}/members/{@userId}/roles/{@role}' },
    'member/roleRemove': { send: 'DELETE /guilds/{@guildId}/members/{@userId}/roles/{@role}' },
    // Before there were others it posted to the address of a webhook.
    'message/': { send: 'POST {@webhookUri}', body: { content: '@text' } }
  }
}

function embedsOf(settings: Settings): Given {
  const embeds = settings
    .rows('embeds', 'values')
    .map((embed) =>
      embed.inputMethod === 'json'
        ? settings.filled(embed.json)
        : Object.fromEntries(
            Object.entries(embed).map(([name, value]) => [
              name,
              ['image', 'thumbnail'].includes(name) ? { url: settings.filled(value) } : settings.filled(value)
            ])
          )
    )
  return embeds.length === 0 ? {} : { embeds }
}

const whatsApp: App = {
  preset: 'whatsapp',
  calls: {
    'message/send': {
      send: 'POST /{@phoneNumberId}/messages',
      body: (settings) => {
        const type = textOf(settings.raw('messageType')) || 'text'
        const to = settings.template('recipientPhoneNumber')
        const preview = settings.raw('additionalFields.previewUrl') === true
        const what =
          type === 'text'
            ? { body: settings.template('textBody'), ...(preview && { preview_url: true }) }
            : settings.given({
                link: '@mediaLink',
                id: '@mediaId',
                caption: '@additionalFields.mediaCaption',
                filename: '@mediaFilename'
              })
        return { messaging_product: 'whatsapp', to, type, [type]: what }
      }
    },
    'message/sendTemplate': {
      send: 'POST /{@phoneNumberId}/messages',
      body: (settings) => {
        const [name = '', language = 'en_US'] = textOf(settings.raw('template')).split('|')
        return {
          messaging_product: 'whatsapp',
          to: settings.template('recipientPhoneNumber'),
          type: 'template',
          template: { name, language: { code: language } }
        }
      },
      note: 'Write the values of its parameters into template.components.'
    },
    'message/sendAndWait': {
      send: 'POST /{@phoneNumberId}/messages',
      body: (settings) => ({
        messaging_product: 'whatsapp',
        to: settings.template('recipientPhoneNumber'),
        type: 'text',
        text: { body: settings.template('message') }
      }),
      note: 'It waited for an answer: put an Approve behind it, and its address into the text ({$approve.…}).'
    },
    'media/mediaUrlGet': { send: 'GET /{@mediaGetId}' },
    'media/mediaDelete': { send: 'DELETE /{@mediaDeleteId}' }
  }
}

export const MESSAGES: Readonly<Record<string, App>> = {
  telegram,
  slack,
  discord,
  whatsApp,
  mattermost,
  twilio,
  zendesk
}
