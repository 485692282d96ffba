/** Bad input, and sessions of somebody else, where each request or connection goes to the next of two nodes. */
import { describeBadInput } from '../../server/bad-input.contract.ts'
import { representativeRoutes } from '../../server/fixtures/real-server.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { RealNodes } from '../fixtures/real-nodes.ts'

const sharedLink = {
  rule: 'who shares a link with its window',
  reason: 'A node does not know which session at another one has announced an id (docs/SECURITY.md).',
}

const cutUploads = ['a frame over the limit', 'a body over the limit'].map((rule) => ({
  rule,
  reason: 'The balancer asks for the end of the connection, which then comes before the answer is read.',
}))

describePostgres('by two nodes in turn', () => {
  const { http = [], https = [] } = Object.groupBy(representativeRoutes, ({ scheme }) => scheme)
  const start = () => RealNodes.start()
  describeBadInput(http, { start, skip: [sharedLink, ...cutUploads] })
  describeBadInput(https, { start, skip: [sharedLink] })
})
