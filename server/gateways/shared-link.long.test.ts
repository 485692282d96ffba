/** The contract of transports on a link that windows share, for those that shared.test.ts leaves out. */
import { longPoll } from '../../lib/transports/long-poll.ts'
import { stream } from '../../lib/transports/stream.ts'
import { describeSharedTransport } from './shared-link-harness.ts'

describeSharedTransport(stream)
describeSharedTransport(longPoll)
