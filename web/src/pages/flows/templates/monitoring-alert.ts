import type { FlowTemplate } from './flow-template.ts'

export const monitoringAlert: FlowTemplate = {
  id: 'monitoring-alert',
  title: 'Monitoring alert',
  summary:
    'Alertmanager posts a group of alerts. People get one short message; the whole payload is kept beside it.',
  document: {
    name: 'Alerts',
    description: 'Turns alerts of the monitoring into messages, and keeps each payload as it came.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 160 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: [
            '**{commonLabels.alertname}** is {status} ({commonLabels.severity?no severity})',
            '{commonAnnotations.summary?No summary was given.}',
            'Where: {commonLabels.instance?several places}, since {alerts[0].startsAt}'
          ].join('\n')
        }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'As it came',
        position: { x: 380, y: 544 },
        fields: { mode: 'Stringify' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 780, y: 0 },
        fields: { session: 'alerts' }
      },
      {
        id: 'chat-output-2',
        type: 'chat-output',
        position: { x: 780, y: 544 },
        fields: { session: 'payloads' }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'webhook-1.data', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-2.parsed_text', to: 'chat-output-2.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Two branches of one payload: the sessions “alerts” and “payloads” of the Playground keep them apart.',
        position: { x: 780, y: 288 },
        size: { width: 300, height: 100 },
        colour: 'blue'
      }
    ]
  },
  sample: {
    version: '4',
    status: 'firing',
    receiver: 'millrace',
    groupLabels: { alertname: 'DiskFull' },
    commonLabels: { alertname: 'DiskFull', severity: 'critical', instance: 'db-3:9100' },
    commonAnnotations: { summary: 'Less than 5 % of the disk is free.' },
    externalURL: 'https://alerts.example.com',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'DiskFull', severity: 'critical', instance: 'db-3:9100' },
        annotations: { summary: 'Less than 5 % of the disk is free.' },
        startsAt: '2026-03-02T04:12:09Z',
        fingerprint: 'c2ff5b1f2c0d4a13'
      }
    ]
  }
}
