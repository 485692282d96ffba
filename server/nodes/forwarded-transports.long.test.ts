/** The contract of transports with a client whose requests go to two nodes in turn. */
import { describeForwardedTransports } from './fixtures/forwarded-transports.ts'

describeForwardedTransports()
