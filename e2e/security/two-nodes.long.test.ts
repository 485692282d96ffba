/** Bad input, and attempts at another person's session, where each request or connection goes to the next of two nodes. */
import { describeBadInput } from '../../server/bad-input.contract.ts'
import { representativeRoutes } from '../../server/fixtures/real-server.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { RealNodes } from '../fixtures/real-nodes.ts'

describePostgres('by two nodes in turn', () => {
  const { http = [], https = [] } = Object.groupBy(representativeRoutes, ({ scheme }) => scheme)
  const start = () => RealNodes.start()
  describeBadInput(http, { start })
  describeBadInput(https, { start })
})
