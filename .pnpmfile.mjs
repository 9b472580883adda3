/** What is published has no sources, so it does not name them. */
export const hooks = {
  beforePacking(manifest) {
    const { exports = {} } = manifest;
    for (const target of Object.values(exports))
      if (typeof target === "object") delete target["@agent-checkpoint/source"];
    return manifest;
  },
};
