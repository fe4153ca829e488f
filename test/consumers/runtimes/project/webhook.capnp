# The example of a Worker in examples/workers. Its bindings come from the environment.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "webhook.mjs")],
  bindings = [
    (name = "ORGCHAT_API_KEY", fromEnvironment = "ORGCHAT_API_KEY"),
    (name = "ORGCHAT_BASE_URL", fromEnvironment = "ORGCHAT_BASE_URL"),
    (name = "ORDER_TAG_ID", fromEnvironment = "ORDER_TAG_ID"),
    (name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET"),
  ],
  compatibilityDate = "2026-11-01",
);
