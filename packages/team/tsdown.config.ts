import { packageBuild } from "../../scripts/package-build.ts";

export default packageBuild;
