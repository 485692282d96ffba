import { createPostgresFixture, describePostgres } from './fixtures/postgres-fixture.ts'
import { describeDocumentStore } from './store.contract.ts'

describePostgres('on PostgreSQL', () => describeDocumentStore('PostgreSQL', createPostgresFixture))
