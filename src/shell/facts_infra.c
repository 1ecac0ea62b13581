/*
 * facts_infra.c: containers, clusters, clouds, infrastructure as code, queues and hosting. What
 * they look up is network; what they remove, deploy or publish asks. Verbs no row names are
 * looked through for words of that kind.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "docker|podman|nerdctl|buildah|finch|lxc|incus|lxd|apptainer|singularity", "", NULL, NET,
      "container", "-c=@ -D -H=@ -l= --context=@ --config=! --host=@ --log-level= --tls --tlsverify "
      "--tlscert= --tlskey= --tlscacert= --url=@ --connection=@ --remote@ --root= --runroot= "
      "--runtime=! --conmon=! --hooks-dir=! --module=! --network-cmd-path=! -q "
      "-f= -p= --file= --project-name= --profile= --env-file= --project-directory=",
      sf_classify_verbs, 0 },
    { "docker|podman|nerdctl|lxc|incus", "ps|images|image ls|image list|image inspect|"
      "image history|inspect|logs|version|info|stats|top|port|diff|history|container ls|"
      "container list|container ps|container logs|container inspect|container top|"
      "container stats|container port|volume ls|volume list|volume inspect|network ls|"
      "network list|network inspect|context ls|context show|context inspect|system df|"
      "system info|system events|events|compose ps|compose ls|compose config|compose images|"
      "compose logs|compose top|compose version|compose port|buildx ls|buildx version|"
      "buildx inspect|buildx du|builder ls|plugin ls|list", NULL, RO, NULL,
      "-aqnfsltd0 -f= -n= -t= --all --filter= --format= --no-trunc --quiet --last= --latest "
      "--size --no-stream --tail= --since= --until= --timestamps --follow --details --digests "
      "--type= --verbose --human --file= --project-name= -p= --services --profiles --volumes "
      "--tree", NULL, 0 },
    { "docker|podman|nerdctl|lxc|incus", "rm|rmi|kill|stop|restart|container rm|container prune|"
      "container kill|container stop|container restart|image rm|image prune|image remove|"
      "volume rm|volume prune|volume remove|network rm|network prune|system prune|system reset|"
      "builder prune|buildx prune|buildx rm|compose down|compose rm|compose kill|compose stop|"
      "swarm leave|stack rm|service rm|node rm|secret rm|config rm|context rm|context use|"
      "plugin rm|plugin install|pod rm|pod kill|pod stop|machine rm|machine stop|machine reset|"
      "delete|pause|unpause|update|rename|manifest rm|trust *|swarm *|image rm *|untag|umount|"
      "unshare|play|kube *|checkpoint*", NULL, DEL, "container-removal", NULL, NULL, 0 },
    { "skopeo|crane|oras|regctl", "", NULL, NET, "network", NULL, sf_classify_verbs, 0 },
    { "docker|podman|nerdctl|buildah|skopeo|crane|oras|regctl",
      "push|image push|manifest push|compose push|copy|sync|delete|login|logout|sign|trust sign|"
      "tag-push|publish|append|mutate", NULL, DEL, "publish", NULL, NULL, 0 },
    { "docker|podman|nerdctl|apptainer|singularity", "run|container run|create|container create|"
      "compose run|shell|exec-run", NULL, BT, "container", "-dditPq -v= -e= -p= -w= -u= -m= -h= "
      "-l= -a= -c= --volume= --mount= --env= --env-file= --publish= --workdir= --user= --name= "
      "--network= --net= --pid= --ipc= --uts= --userns= --cgroupns= --entrypoint= --rm --init "
      "--privileged# --cap-add=# --cap-drop= --device=# --security-opt= --restart= --memory= "
      "--cpus= --hostname= --label= --add-host= --platform= --pull= --gpus= --shm-size= "
      "--ulimit= --tmpfs= --read-only --interactive --tty --detach --link= --volumes-from= "
      "--cidfile=> --log-driver= --log-opt= --health-cmd= --stop-signal= --sysctl= --group-add= "
      "--dns= --expose= --publish-all --no-deps --service-ports -T -f= --file= -B= --bind= "
      "--pod= --arch= --runtime= --cpu-shares= --ip= --mac-address= --annotation= --env-host "
      "--http-proxy --systemd= --oom-score-adj=", sf_classify_container, 0 },
    { "docker|podman|nerdctl|lxc|incus", "exec|container exec|compose exec", NULL, BT,
      "container", "-dditTu -e= -w= -u= -f= -p= --env= --workdir= --user= --interactive --tty "
      "--detach --privileged# --env-file= --index=", sf_classify_tail, 0 },
    { "docker|podman|nerdctl|buildah", "build|buildx build|image build|builder build|bud|"
      "compose build|bake|buildx bake|compose up|compose start|compose create|start|"
      "container start|tag|image tag|commit|container commit|cp|container cp|save|image save|"
      "export|container export|load|image load|import|attach|container attach|wait|volume create|"
      "network create|network connect|network disconnect|compose watch|init|from|config|mount|"
      "machine start|machine init", NULL, BT, "container", "--push# -o= --output=",
      sf_classify_container_files, 0 },
    { "docker|podman|nerdctl|buildah|skopeo|crane|lxc", "pull|image pull|compose pull|search|"
      "inspect|list-tags|manifest inspect|manifest|digest|ls|catalog|scout *|login-status|launch|"
      "init", NULL, NET, "network", NULL, NULL, 0 },
    { "docker-compose|podman-compose", "", NULL, BT, "container",
      "-f= -p= --file= --project-name= --profile= --env-file=", sf_classify_verbs, 0 },
    { "docker-compose|podman-compose", "ps|config|images|logs|top|version|ls|port|events", NULL,
      RO, NULL,
      "-aqf --all --quiet --services --tail= --follow --volumes --no-color --timestamps", NULL, 0 },
    { "docker-compose|podman-compose", "down|rm|kill|stop|push|restart|pause", NULL, DEL,
      "container-removal", NULL, NULL, 0 },
    { "docker-compose|podman-compose", "exec|run", NULL, BT, "container",
      "-dTu -e= -u= -w= -p= -v= --rm --no-deps --user= --entrypoint= --name= --workdir=",
      sf_classify_tail, 0 },

    { "kubectl|oc|k|k3s-kubectl|kubecolor|microk8s.kubectl", "", NULL, NET, "cluster",
      "-n= -s= --namespace= --context= --kubeconfig=! --cluster= --user= --server= --as= "
      "--as-group= --token= --request-timeout= -v= --insecure-skip-tls-verify "
      "--certificate-authority= --cache-dir= --tls-server-name=", sf_classify_verbs, 0 },
    { "kubectl|oc|k", "delete|drain|replace|scale|patch|rollout|taint|cordon|evict|uncordon|"
      "apply|create|edit|set|label|annotate|expose|run|autoscale|debug", "--dry-run", NET,
      "cluster", "--dry-run? -f= -o= -k=", sf_classify_dry_run, 0 },
    { "kubectl|oc|k", "delete|drain|replace|scale|patch|taint|cordon|evict|rollout undo|"
      "rollout restart|adm|certificate|config delete-*|config unset|edit|set|autoscale|debug|"
      "auth reconcile|rollout pause", NULL, DEL, "cluster-removal", NULL, NULL, 0 },
    { "kubectl|oc|k", "apply|create|run|expose|label|annotate|config|rollout resume|uncordon",
      "--prune --force --overwrite", DEL, "cluster-removal",
      "--prune --force --overwrite --all -f= -k= -l=", NULL, 0 },
    { "kubectl|oc|k", "run|debug", NULL, NET, "cluster", "-it -n= --image= --restart= --rm "
      "--command", sf_classify_behind_dashes, 0 },
    { "kubectl|oc|k", "exec|rsh|attach", NULL, NET, "cluster",
      "-it -c= -n= --container= --stdin --tty", sf_classify_kubectl_exec, 0 },
    { "kubectl|oc|k", "version", "--client", RO, NULL, "--client -o= --output= --short", NULL, 0 },
    { "kubectl|oc|k", "config view|config get-contexts|config current-context|"
      "config get-clusters|version|options|completion|plugin list|kustomize|help", NULL, NET,
      "cluster", NULL, NULL, 0 },
    { "kubectl|oc|k", "cp", NULL, NET, "cluster", "-n= -c=", sf_classify_copy_hosts, 0 },
    { "kubectl|oc|k", "get|describe|logs|top|explain|api-resources|api-versions|cluster-info|"
      "auth can-i|auth whoami|diff|wait|events|port-forward|proxy|rollout status|rollout history|"
      "apply|create|run|expose|label|annotate|config|rollout resume|uncordon|kustomize|status|"
      "whoami|project|projects|login", NULL, NET, "cluster", NULL, NULL, 0 },
    { "terraform|tofu|opentofu|packer", "version", NULL, RO, NULL, "/ -json", NULL, 0 },
    { "terraform|tofu|opentofu|helm|kustomize|packer|cdk", "fmt|validate|version|lint|template|"
      "build|graph|console|synth|help|completion|create|package|dependency", NULL, BT, "build",
      NULL, NULL, 0 },
    { "rclone", "sync|move|moveto|delete|deletefile|purge|rmdir|rmdirs|dedupe|cleanup|bisync|"
      "archive|convmv", "--dry-run -n", NET, "cloud", "-n --dry-run", NULL, 0 },
    { "rclone", "sync|move|moveto|delete|deletefile|purge|rmdir|rmdirs|dedupe|cleanup|bisync|"
      "archive|convmv", NULL, DEL, "cloud-removal", NULL, NULL, 0 },
    { "gsutil", "rsync", "-d", DEL, "cloud-removal", "-cCdeJnprRuUPx -d", NULL, 0 },
    { "gsutil", "rsync", NULL, NET, "cloud", "-cCdeJnprRuUPx", NULL, 0 },
    { "helm|helmfile|kustomize|kapp|argocd|flux|istioctl|linkerd|velero|cilium|calicoctl|kubeadm|"
      "kops|eksctl|k3d|kind|minikube|k0s|k3s|rke|rke2|talosctl|cmctl|kn|tkn|kubeseal|krew|"
      "skaffold|tilt|garden|devspace|telepresence|okteto|werf|waypoint|nomad|consul|vault|"
      "boundary|packer|vagrant|terragrunt|terraform|tofu|opentofu|pulumi|cdk|cdktf|crossplane|"
      "ansible|ansible-playbook|ansible-galaxy|ansible-pull|ansible-console|salt|salt-call|"
      "puppet|chef-client|knife|bolt|fab2|capistrano|cap|kamal|mina|juju|cfn|sls|serverless|sam|"
      "amplify|copilot-cli|chalice|zappa|up|architect|sst|wing|nitric|encore|aws|aws2|awslocal|"
      "gcloud|gsutil|bq|az|azcopy|func|doctl|linode-cli|hcloud|vultr-cli|scw|oci|ibmcloud|ovhai|"
      "exo|civo|openstack|nova|cinder|swift-client|s3cmd|s4cmd|s5cmd|mc|minio-client|rclone|b2|"
      "wrangler|cf|flyctl|fly|heroku|vercel|now|netlify|railway|render|surge|firebase|"
      "supabase-cli|deployctl|eb|gcloud-*|cloudflare|cdn|fastly|akamai|datadog-ci|sentry-cli|"
      "newrelic|pagerduty|opsgenie|launchdarkly|stripe|twilio|sendgrid|slack|discord|"
      "telegram-send|ntfy|pushover|jira|linear|notion|shopify|contentful|sanity|algolia|auth0|"
      "okta|clerk|convex|appwrite|amplitude|segment|snowflake|databricks|dbx|aliyun|tccli|yc|"
      "upcloud|equinix|metal|gandi|namecheap|route53|dnscontrol|octodns|lexicon|kafka-*|"
      "kafka-*.sh|rabbitmqadmin|rabbitmqctl|rabbitmq-*|nats|nats-*|pulsar-admin|activemq|artemis|"
      "zookeeper-*|hdfs|hadoop|yarn-hadoop|hbase|spark-submit|spark-shell|pyspark|flink|sqoop|"
      "oozie|elasticsearch-*|elasticdump|curator|curator_cli|opensearch-*|solr|logstash|filebeat|"
      "grafana-cli|promtool|splunk|amtool|thanos|loki|logcli|influx-*|clickhouse-backup|clickhouse-copier|clickhouse-keeper*|clickhouse-server|cassandra|"
      "nodetool|sstable*|ceph|rados|rbd|gluster|drbdadm|pcs|crm|etcd|riak-admin|couchbase-cli|"
      "cbq|neo4j|arango*|orientdb|ravendb|dgraph|weaviate|milvus|qdrant|kubectx|kubens|stern|k9s|"
      "kail|popeye|polaris|kube-*|helm-*|kubectl-*|steampipe|cloudquery|infracost|driftctl|"
      "cloudmapper|prowler|scoutsuite|cloudsplaining|aws-*|saml2aws|granted|assume|sshuttle|"
      "teleport|tsh|tctl|bastion|ssm|session-manager-plugin", "", NULL, NET, "cloud",
      "--profile= --region= --project= --subscription= -p= -g= -n= -chdir= --account= --output= "
      "--endpoint-url= --context= --namespace= --kube-context= --configuration= --debug --quiet "
      "-q --no-color --cwd= -s= -C= --stack= --app= -a= --team= --token= --scope= --config= -i= "
      "--remote= -c=$ --command=$ --kubeconfig=! --registry-config= --plugins=!",
      sf_classify_cloud, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_infra = { rows, SF_COUNT(rows) };
