import { textOf } from '../../values.ts'
import type { App, AppCall, Given } from './app.ts'
import type { Settings } from './settings.ts'

/** What Telegram's messages have in common. */
const TO_CHAT: Given = {
  chat_id: '@chatId',
  parse_mode: '@additionalFields.parse_mode',
  disable_notification: '@additionalFields.disable_notification',
  reply_to_message_id: '@additionalFields.reply_to_message_id',
  message_thread_id: '@additionalFields.message_thread_id'
}

function keyboardOf(settings: Settings): Given {
  const inline = settings.rows('inlineKeyboard', 'rows').map((row) => {
    const buttons = (row.row as { buttons?: unknown } | undefined)?.buttons
    return (Array.isArray(buttons) ? buttons : []).map((button) =>
      settings.given({ ...settings.table([button], 'text', 'text'), ...buttonOf(button, settings) })
    )
  })
  return inline.length === 0 ? {} : { reply_markup: { inline_keyboard: inline } }
}

function buttonOf(button: unknown, settings: Settings): Record<string, unknown> {
  const { text, additionalFields } = button as { text?: unknown; additionalFields?: Record<string, unknown> }
  const more = Object.entries(additionalFields ?? {}).map(([name, value]) => [name, settings.filled(value)])
  return { text: settings.filled(text ?? ''), ...Object.fromEntries(more) }
}

function telegramText(settings: Settings): unknown {
  const given = settings.given({
    ...TO_CHAT,
    text: '@text',
    disable_web_page_preview: '@additionalFields.disable_web_page_preview'
  }) as Given
  return { parse_mode: 'Markdown', ...given, ...keyboardOf(settings) }
}

/** A picture, a sound or a document, by its address or as a file of the item. */
function telegramFile(method: string, member: string): AppCall {
  return {
    send: `POST /${method}`,
    body: (settings) => {
      const isFile = settings.raw('binaryData') === true
      const name = textOf(settings.raw('binaryPropertyName')) || 'data'
      const file = isFile ? `{[${name.replaceAll(']', '')}]?}` : settings.template('file')
      const given = settings.given({ ...TO_CHAT, caption: '@additionalFields.caption' }) as Given
      return { ...given, [member]: file }
    },
    bodyType: 'Multipart'
  }
}

export const telegram: App = {
  preset: 'telegram',
  calls: {
    'message/sendMessage': { send: 'POST /sendMessage', body: telegramText },
    'message/sendPhoto': telegramFile('sendPhoto', 'photo'),
    'message/sendDocument': telegramFile('sendDocument', 'document'),
    'message/sendAudio': telegramFile('sendAudio', 'audio'),
    'message/sendVideo': telegramFile('sendVideo', 'video'),
    'message/sendAnimation': telegramFile('sendAnimation', 'animation'),
    'message/sendSticker': telegramFile('sendSticker', 'sticker'),
    'message/sendChatAction': {
      send: 'POST /sendChatAction',
      body: (settings) => ({
        chat_id: settings.template('chatId'),
        action: settings.template('action') || 'typing'
      })
    },
    'message/sendLocation': {
      send: 'POST /sendLocation',
      body: { ...TO_CHAT, latitude: '@latitude', longitude: '@longitude' }
    },
    'message/editMessageText': {
      send: 'POST /editMessageText',
      body: (settings) => ({
        ...(telegramText(settings) as Given),
        ...(settings.given({
          message_id: '@messageId',
          inline_message_id: '@inlineMessageId'
        }) as Given)
      })
    },
    'message/deleteMessage': {
      send: 'POST /deleteMessage',
      body: { chat_id: '@chatId', message_id: '@messageId' }
    },
    'message/pinChatMessage': {
      send: 'POST /pinChatMessage',
      body: { chat_id: '@chatId', message_id: '@messageId' }
    },
    'message/sendAndWait': {
      send: 'POST /sendMessage',
      body: { chat_id: '@chatId', text: '@message' },
      note: 'It waited for an answer: put an Approve behind it, and its address into the text ({$approve.…}).'
    },
    'file/get': {
      send: 'GET /getFile',
      query: { file_id: '@fileId' },
      note: 'It gives where the file lies (result.file_path): fetch that by a second API Request, where its bytes are needed.'
    },
    'callback/answerQuery': {
      send: 'POST /answerCallbackQuery',
      body: {
        callback_query_id: '@queryId',
        text: '@additionalFields.text',
        show_alert: '@additionalFields.show_alert'
      }
    },
    'chat/get': { send: 'GET /getChat', query: { chat_id: '@chatId' } },
    'chat/member': { send: 'GET /getChatMember', query: { chat_id: '@chatId', user_id: '@userId' } }
  }
}
