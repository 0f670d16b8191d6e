import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionTables } from '../../connections/connection-tables.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type AskedContextDeps, askedContext } from '../contexts/asked-context.ts'

const TablesQuery = Type.Object({
  context: Type.Optional(Type.String({ description: 'Path of a context; the root where it is left out' })),
  connection: Type.String({ minLength: 1, description: 'Its name, as flows of the context use it' })
})
type TablesQuery = Static<typeof TablesQuery>

const Tables = Type.Object({
  tables: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As a query names it' }),
      columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }))
    })
  ),
  truncated: Type.Boolean({ description: 'There are more than 5,000 columns, and the rest is left out' })
})

interface ConnectionTablesRouteDeps extends AskedContextDeps {
  readonly tables: ConnectionTables
}

/** For those who may save a flow there, and could ask the database the same with it. */
export function connectionTableRoutes(app: FastifyInstance, deps: ConnectionTablesRouteDeps): void {
  app.get<{ Querystring: TablesQuery }>(
    '/api/v1/connections/tables',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Connections'],
        operationId: 'listTables',
        summary: 'The tables and columns of a database that a flow in a context can name',
        refuses: ['context_not_found', 'connection_not_found', 'connection_invalid', 'tables_unreadable'],
        querystring: TablesQuery,
        response: { 200: Tables }
      }
    },
    async (request) => {
      const context = askedContext(request, deps)
      const { tables, isCut } = await deps.tables.list(context, request.query.connection)
      return { tables: tables.map((table) => ({ ...table, columns: [...table.columns] })), truncated: isCut }
    }
  )
}
