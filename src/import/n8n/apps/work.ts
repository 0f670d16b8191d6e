import { literalText } from '../../expressions/template-text.ts'
import { type App, type Given, READS_A_PAGE } from './app.ts'
import { base64Js } from './mail.ts'
import { notion } from './notion.ts'
import type { Settings } from './settings.ts'

/** A text as Jira takes it. */
function paragraph(text: string): Given {
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
}

function jiraFields(settings: Settings): Given {
  const description = settings.template('additionalFields.description|updateFields.description')
  const id = (name: string, member: string) =>
    settings.raw(name) === undefined ? {} : { [member]: { id: settings.template(name) } }
  return {
    ...id('project', 'project'),
    ...id('issueType|updateFields.issueType', 'issuetype'),
    ...id('additionalFields.priority|updateFields.priority', 'priority'),
    ...(settings.given({
      summary: '@summary|updateFields.summary',
      labels: '@additionalFields.labels|updateFields.labels'
    }) as Given),
    ...(description !== '' && { description: paragraph(description) })
  }
}

const jira: App = {
  preset: 'jira',
  calls: {
    'issue/create': { send: 'POST /issue', body: (settings) => ({ fields: jiraFields(settings) }) },
    'issue/update': {
      send: 'PUT /issue/{@issueKey}',
      body: (settings) => ({ fields: jiraFields(settings) })
    },
    'issue/get': { send: 'GET /issue/{@issueKey}' },
    'issue/delete': { send: 'DELETE /issue/{@issueKey}' },
    'issue/getAll': {
      send: 'GET /search/jql',
      query: { jql: '@options.jql', maxResults: '@limit', fields: '@options.fields' },
      item: 'data.issues ?? []',
      isMany: true,
      note: READS_A_PAGE
    },
    'issue/changelog': { send: 'GET /issue/{@issueKey}/changelog', item: 'data.values ?? []', isMany: true },
    'issue/transitions': {
      send: 'GET /issue/{@issueKey}/transitions',
      item: 'data.transitions ?? []',
      isMany: true
    },
    'issueComment/add': {
      send: 'POST /issue/{@issueKey}/comment',
      body: (settings) => ({ body: paragraph(settings.template('comment')) })
    },
    'issueComment/get': { send: 'GET /issue/{@issueKey}/comment/{@commentId}' },
    'issueComment/getAll': {
      send: 'GET /issue/{@issueKey}/comment',
      item: 'data.comments ?? []',
      isMany: true
    },
    'issueAttachment/getAll': {
      send: 'GET /issue/{@issueKey}?fields=attachment',
      item: 'data.fields?.attachment ?? []',
      isMany: true
    },
    'user/get': { send: 'GET /user', query: { accountId: '@accountId' } }
  }
}

const ISSUE = 'id identifier title description url createdAt state { name } assignee { name }'

function linear(query: string, variables: Given): (settings: Settings) => unknown {
  return (settings) => ({ query: literalText(query), variables: settings.given(variables) })
}

const linearApp: App = {
  preset: 'linear',
  calls: {
    'issue/create': {
      send: 'POST /graphql',
      body: linear(
        `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${ISSUE} } } }`,
        {
          input: {
            teamId: '@teamId',
            title: '@title',
            description: '@additionalFields.description',
            assigneeId: '@additionalFields.assigneeId',
            priority: '@additionalFields.priorityId',
            stateId: '@additionalFields.stateId'
          }
        }
      ),
      item: 'data.data?.issueCreate?.issue'
    },
    'issue/update': {
      send: 'POST /graphql',
      body: linear(
        `mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { issue { ${ISSUE} } } }`,
        {
          id: '@issueId',
          input: {
            teamId: '@updateFields.teamId',
            title: '@updateFields.title',
            description: '@updateFields.description',
            assigneeId: '@updateFields.assigneeId',
            priority: '@updateFields.priorityId',
            stateId: '@updateFields.stateId'
          }
        }
      ),
      item: 'data.data?.issueUpdate?.issue'
    },
    'issue/get': {
      send: 'POST /graphql',
      body: linear(`query ($id: String!) { issue(id: $id) { ${ISSUE} } }`, { id: '@issueId' }),
      item: 'data.data?.issue'
    },
    'issue/getAll': {
      send: 'POST /graphql',
      body: linear(`query ($first: Int) { issues(first: $first) { nodes { ${ISSUE} } } }`, {
        first: '@limit'
      }),
      item: 'data.data?.issues?.nodes ?? []',
      isMany: true,
      note: READS_A_PAGE
    }
  }
}

const REPO = '/repos/{@owner}/{@repository}'

const fileOf = (settings: Settings): Given => ({
  message: settings.template('commitMessage'),
  content: settings.write.computed(base64Js(settings.js('fileContent'))),
  ...(settings.given({ branch: '@additionalParameters.branch.branch' }) as Given)
})

const github: App = {
  preset: 'github',
  calls: {
    'issue/create': {
      send: `POST ${REPO}/issues`,
      body: (settings) => ({
        ...(settings.given({ title: '@title', body: '@body' }) as Given),
        labels: settings.rows('labels').map(({ label }) => settings.filled(label)),
        assignees: settings.rows('assignees').map(({ assignee }) => settings.filled(assignee))
      })
    },
    'issue/createComment': { send: `POST ${REPO}/issues/{@issueNumber}/comments`, body: { body: '@body' } },
    'issue/edit': {
      send: `PATCH ${REPO}/issues/{@issueNumber}`,
      body: { title: '@editFields.title', body: '@editFields.body', state: '@editFields.state' }
    },
    'issue/get': { send: `GET ${REPO}/issues/{@issueNumber}` },
    'file/create': { send: `PUT ${REPO}/contents/{@filePath}`, body: fileOf },
    'file/edit': {
      send: `PUT ${REPO}/contents/{@filePath}`,
      before: {
        send: `GET ${REPO}/contents/{@filePath}`,
        body: (settings) =>
          `return { message: ${settings.js('commitMessage')}, content: ${base64Js(settings.js('fileContent'))}, sha: $there.sha }`
      }
    },
    'file/get': { send: `GET ${REPO}/contents/{@filePath}` },
    'file/list': { send: `GET ${REPO}/contents/{@filePath}`, isMany: true },
    'repository/get': { send: `GET ${REPO}` },
    'repository/getIssues': { send: `GET ${REPO}/issues`, query: { per_page: '@limit' }, isMany: true },
    'repository/getPullRequests': { send: `GET ${REPO}/pulls`, query: { per_page: '@limit' }, isMany: true },
    'release/getAll': { send: `GET ${REPO}/releases`, isMany: true },
    'release/create': {
      send: `POST ${REPO}/releases`,
      body: { tag_name: '@releaseTag', name: '@additionalFields.name', body: '@additionalFields.body' }
    },
    'user/getRepositories': { send: 'GET /users/{@owner}/repos', isMany: true },
    'review/create': {
      send: `POST ${REPO}/pulls/{@pullRequestNumber}/reviews`,
      body: { event: '@event', body: '@body' }
    }
  }
}

export const WORK: Readonly<Record<string, App>> = {
  notion,
  jira,
  linear: linearApp,
  github
}
