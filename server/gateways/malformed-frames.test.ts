/** Malformed frames by TCP; malformed-frames.long.test.ts has the other kinds of connection. */
import { describeMalformedFrames } from './malformed-frames.contract.ts'

describeMalformedFrames(['TCP'])
