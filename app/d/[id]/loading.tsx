import { OpeningFace } from '@/components/editor/opening-face'

export default function Loading() {
  return <OpeningFace />
}
