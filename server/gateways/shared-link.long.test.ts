/** The contract of transports on a shared link, for the transports that shared-link.test.ts leaves out. */
import { longPoll } from '../../lib/transports/long-poll.ts'
import { stream } from '../../lib/transports/stream.ts'
import { describeSharedTransport } from './fixtures/shared-link-harness.ts'

describeSharedTransport(stream)
describeSharedTransport(longPoll)
