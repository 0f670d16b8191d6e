import type { App } from './app.ts'
import { GOOGLE } from './google.ts'
import { MESSAGES } from './messages.ts'
import { OTHERS } from './others.ts'
import { SALES } from './sales.ts'
import { TABLES } from './tables.ts'
import { TASKS } from './tasks.ts'
import { WORK } from './work.ts'

/** The nodes of services whose operations are known, the most frequent of public workflows first among them. */
export const APPS: Readonly<Record<string, App>> = {
  ...MESSAGES,
  ...GOOGLE,
  ...TABLES,
  ...WORK,
  ...TASKS,
  ...SALES,
  ...OTHERS
}

/** Services that have a preset, and whose operations are not known. */
export const PRESET_OF: Readonly<Record<string, string>> = {
  bitbucket: 'bitbucket',
  calendly: 'calendly',
  cloudflare: 'cloudflare',
  confluence: 'confluence',
  deepL: 'deepl',
  dropbox: 'dropbox',
  elasticsearch: 'elasticsearch',
  freshdesk: 'freshdesk',
  gitlab: 'gitlab',
  grafana: 'grafana',
  intercom: 'intercom',
  microsoftExcel: 'microsoft-graph',
  microsoftOneDrive: 'microsoft-graph',
  microsoftSharePoint: 'microsoft-graph',
  microsoftToDo: 'microsoft-graph',
  mondayCom: 'monday',
  pagerDuty: 'pagerduty',
  pushover: 'pushover',
  quickbooks: 'quickbooks',
  salesforce: 'salesforce',
  sentryIo: 'sentry',
  googleAnalytics: 'google-drive',
  typeform: 'typeform',
  wooCommerce: 'woocommerce'
}
