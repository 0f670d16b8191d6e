import { textOf } from '../../values.ts'
import { type App, type Given, READS_A_PAGE } from './app.ts'
import type { Settings } from './settings.ts'

/** Of a collection of further fields, those that are texts or numbers, by the names that HubSpot has. */
function plainFields(settings: Settings, ...names: readonly string[]): Given {
  const given: Record<string, unknown> = {}
  for (const name of names) {
    const fields = settings.raw(name)
    for (const [key, value] of Object.entries((fields as Record<string, unknown> | undefined) ?? {}))
      if (typeof value !== 'object') given[key.toLowerCase()] = settings.filled(value)
  }
  return given
}

const contact = (settings: Settings): unknown => ({
  properties: {
    email: settings.template('email'),
    ...plainFields(settings, 'additionalFields', 'updateFields')
  }
})

const OBJECT = '/crm/v3/objects'

function hubspotObject(resource: string, plural: string): App['calls'] {
  const id = `{@${resource}Id}`
  const body = (settings: Settings) => ({
    properties: {
      ...(settings.given({
        dealstage: '@stage',
        name: '@name',
        hs_pipeline: '@pipelineId',
        hs_pipeline_stage: '@stageId',
        subject: '@ticketName'
      }) as Given),
      ...plainFields(settings, 'additionalFields', 'updateFields')
    }
  })
  return {
    [`${resource}/create`]: { send: `POST ${OBJECT}/${plural}`, body },
    [`${resource}/get`]: { send: `GET ${OBJECT}/${plural}/${id}` },
    [`${resource}/getAll`]: {
      send: `GET ${OBJECT}/${plural}`,
      query: { limit: '@limit' },
      item: 'data.results ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    [`${resource}/update`]: { send: `PATCH ${OBJECT}/${plural}/${id}`, body },
    [`${resource}/delete`]: { send: `DELETE ${OBJECT}/${plural}/${id}` },
    [`${resource}/search`]: {
      send: `POST ${OBJECT}/${plural}/search`,
      body: (settings) => ({
        filterGroups: settings.rows('filterGroupsUi', 'filterGroupsValues').map((group) => ({
          filters: filtersOf(group, settings)
        })),
        ...(settings.given({ limit: '@limit', query: '@additionalFields.query' }) as Given)
      }),
      item: 'data.results ?? []',
      isMany: true
    }
  }
}

function filtersOf(group: Readonly<Record<string, unknown>>, settings: Settings): unknown[] {
  const rows = (group.filtersUi as { filterValues?: unknown } | undefined)?.filterValues
  return (Array.isArray(rows) ? rows : []).map((row: Readonly<Record<string, unknown>>) => ({
    propertyName: textOf(row.propertyName).split('|')[0],
    operator: textOf(row.operator) || 'EQ',
    value: settings.filled(row.value ?? '')
  }))
}

const hubspot: App = {
  preset: 'hubspot',
  calls: {
    // It makes a contact, or changes the one that has the address.
    'contact/upsert': {
      send: 'POST /crm/v3/objects/contacts/batch/upsert',
      body: (settings) => ({
        inputs: [{ id: settings.template('email'), idProperty: 'email', ...(contact(settings) as Given) }]
      }),
      item: 'data.results?.[0] ?? data'
    },
    ...hubspotObject('contact', 'contacts'),
    ...hubspotObject('company', 'companies'),
    ...hubspotObject('deal', 'deals'),
    ...hubspotObject('ticket', 'tickets')
  }
}

function pipedriveOf(kind: string, plural: string): App['calls'] {
  const body = (settings: Settings) => ({
    ...(settings.given({
      name: '@name',
      title: '@title',
      content: '@content',
      subject: '@subject',
      type: '@type',
      org_id: '@org_id',
      person_id: '@person_id'
    }) as Given),
    ...plainFields(settings, 'additionalFields', 'updateFields')
  })
  const id = `{@${kind}Id}`
  return {
    [`${kind}/create`]: { send: `POST /${plural}`, body, item: 'data.data' },
    [`${kind}/get`]: { send: `GET /${plural}/${id}`, item: 'data.data' },
    [`${kind}/getAll`]: {
      send: `GET /${plural}`,
      query: { limit: '@limit' },
      item: 'data.data ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    [`${kind}/update`]: { send: `PUT /${plural}/${id}`, body, item: 'data.data' },
    [`${kind}/delete`]: { send: `DELETE /${plural}/${id}`, item: 'data.data' },
    [`${kind}/search`]: {
      send: `GET /${plural}/search`,
      query: {
        term: '@term',
        fields: '@additionalFields.fields',
        exact_match: '@exactMatch',
        limit: '@limit'
      },
      item: '(data.data?.items ?? []).map(({ item }) => item)',
      isMany: true
    }
  }
}

const pipedrive: App = {
  preset: 'pipedrive',
  calls: {
    ...pipedriveOf('deal', 'deals'),
    ...pipedriveOf('person', 'persons'),
    ...pipedriveOf('organization', 'organizations'),
    ...pipedriveOf('activity', 'activities'),
    ...pipedriveOf('note', 'notes'),
    ...pipedriveOf('lead', 'leads'),
    ...pipedriveOf('product', 'products')
  }
}

const shopify: App = {
  preset: 'shopify',
  calls: {
    'order/getAll': {
      send: 'GET /orders.json',
      query: { limit: '@limit', status: '@options.status', created_at_min: '@options.createdAtMin' },
      item: 'data.orders ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'order/get': { send: 'GET /orders/{@orderId}.json', item: 'data.order' },
    'order/create': {
      send: 'POST /orders.json',
      body: { order: { email: '@additionalFields.email' } },
      item: 'data.order'
    },
    'product/getAll': {
      send: 'GET /products.json',
      query: { limit: '@limit', title: '@additionalFields.title' },
      item: 'data.products ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'product/get': { send: 'GET /products/{@productId}.json', item: 'data.product' },
    'product/create': {
      send: 'POST /products.json',
      body: {
        product: {
          title: '@title',
          body_html: '@additionalFields.body_html',
          vendor: '@additionalFields.vendor'
        }
      },
      item: 'data.product'
    },
    'product/update': {
      send: 'PUT /products/{@productId}.json',
      body: { product: { title: '@updateFields.title', body_html: '@updateFields.body_html' } },
      item: 'data.product'
    }
  }
}

function stripeOf(kind: string, plural: string): App['calls'] {
  const body = (settings: Settings) => ({
    ...(settings.given({
      amount: '@amount',
      currency: '@currency',
      customer: '@customerId',
      name: '@name',
      source: '@source'
    }) as Given),
    ...plainFields(settings, 'additionalFields', 'updateFields')
  })
  return {
    [`${kind}/create`]: { send: `POST /${plural}`, body, bodyType: 'Form' },
    [`${kind}/get`]: { send: `GET /${plural}/{@${kind}Id}` },
    [`${kind}/getAll`]: {
      send: `GET /${plural}`,
      query: { limit: '@limit' },
      item: 'data.data ?? []',
      isMany: true
    },
    [`${kind}/update`]: { send: `POST /${plural}/{@${kind}Id}`, body, bodyType: 'Form' },
    [`${kind}/delete`]: { send: `DELETE /${plural}/{@${kind}Id}` }
  }
}

const stripe: App = {
  preset: 'stripe',
  calls: {
    'balance/get': { send: 'GET /balance' },
    ...stripeOf('charge', 'charges'),
    ...stripeOf('customer', 'customers'),
    ...stripeOf('coupon', 'coupons')
  }
}

const mailchimp: App = {
  preset: 'mailchimp',
  calls: {
    'member/create': {
      send: 'POST /lists/{@list}/members',
      body: (settings) => ({
        email_address: settings.template('email'),
        status: settings.template('status') || 'subscribed',
        merge_fields: settings.table(settings.rows('mergeFieldsUi', 'mergeFieldsValues'), 'name', 'value')
      })
    },
    'member/getAll': {
      send: 'GET /lists/{@list}/members',
      query: { count: '@limit' },
      item: 'data.members ?? []',
      isMany: true
    },
    'campaign/getAll': {
      send: 'GET /campaigns',
      query: { count: '@limit' },
      item: 'data.campaigns ?? []',
      isMany: true
    },
    'campaign/send': { send: 'POST /campaigns/{@campaignId}/actions/send' }
  }
}

const sendGrid: App = {
  preset: 'sendgrid',
  calls: {
    'mail/send': {
      send: 'POST /mail/send',
      body: (settings) => ({
        personalizations: [{ to: [{ email: settings.template('toEmail') }] }],
        from: { email: settings.template('fromEmail') },
        subject: settings.template('subject'),
        content: [
          { type: settings.template('contentType') || 'text/plain', value: settings.template('contentValue') }
        ]
      })
    }
  }
}

export const SALES: Readonly<Record<string, App>> = {
  hubspot,
  pipedrive,
  shopify,
  stripe,
  mailchimp,
  sendGrid
}
