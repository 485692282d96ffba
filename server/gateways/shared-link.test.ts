/** The contract of transports on a shared link; shared-link.long.test.ts has the other transports. */
import { sse } from '../../lib/transports/sse.ts'
import { describeSharedTransport } from './fixtures/shared-link-harness.ts'

describeSharedTransport(sse)
