import { OpeningFace } from '@/components/opening/opening-face'

export default function Loading() {
  return <OpeningFace />
}
