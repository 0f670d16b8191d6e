import type { FlowTemplate } from './flow-template.ts'

export const telegramBot: FlowTemplate = {
  id: 'telegram-bot',
  title: 'Telegram bot with memory',
  summary: 'People write to your bot; a language model answers each of them, and remembers what they said.',
  document: {
    name: 'Telegram bot',
    description: 'Answers who writes to the bot, with the last turns of that chat in mind.',
    nodes: [
      {
        id: 'webhook-1',
        type: 'webhook',
        position: { x: 0, y: 0 },
        fields: {
          auth: 'Token',
          token_header: 'x-telegram-bot-api-secret-token',
          connection: 'telegram-webhook',
          deduplicate_by: '{update_id}'
        }
      },
      {
        id: 'chat-input-1',
        type: 'chat-input',
        title: 'What was written',
        position: { x: 380, y: 0 },
        fields: { text: '{message.text}', session: '{message.chat.id}' }
      },
      {
        id: 'language-model-1',
        type: 'language-model',
        title: 'Assistant',
        position: { x: 760, y: 0 },
        fields: {
          connection: 'models',
          model: 'gpt-5-mini',
          system: 'You are a friendly assistant. Answer in a few sentences, in the language of the question.',
          session: '{message.chat.id}',
          history: 10
        }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        title: 'What was answered',
        position: { x: 1140, y: -160 },
        fields: { session: '{message.chat.id}' }
      },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'Send the answer',
        position: { x: 1140, y: 100 },
        retry: { attempts: 4, backoff_ms: 2000 },
        fields: {
          connection: 'telegram',
          method: 'POST',
          url: '/sendMessage',
          body: { chat_id: '{$nodes.webhook-1.data.message.chat.id}', text: '{$data}' }
        }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'chat-input-1.data' },
      { from: 'chat-input-1.message', to: 'language-model-1.text' },
      { from: 'language-model-1.text', to: 'chat-output-1.text' },
      { from: 'language-model-1.text', to: 'api-request-1.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *telegram* (the preset Telegram), and *telegram-webhook* with a secret of your own. Tell Telegram both: `setWebhook` with the address of this flow and the secret as `secret_token`. Each chat is a **Session** of its own.',
        position: { x: 0, y: -180 },
        size: { width: 400, height: 130 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    update_id: 813_492_001,
    message: {
      message_id: 17,
      from: { id: 5_212_667_301, is_bot: false, first_name: 'Ann', language_code: 'en' },
      chat: { id: 5_212_667_301, first_name: 'Ann', type: 'private' },
      date: 1_772_445_600,
      text: 'Where do the runs of a flow go when they are done?'
    }
  }
}
